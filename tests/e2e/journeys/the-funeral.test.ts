import { readFile } from "node:fs/promises";
import { dateField, dayAfter, fillDate } from "../../support/date-field.ts";
import { expect, PHONE, test } from "../../support/e2e.ts";
import { noise } from "../../support/files-to-upload.ts";
import { invitationTo, pasteText } from "../../support/inviting.ts";
import { sized } from "../../support/long-tests.ts";
import { rasterPages } from "../../support/printed-sheets.ts";
import { open, post } from "../../support/sharing.ts";
import { textsIn } from "../../support/texts.ts";
import { translateDocument } from "../../support/translator.ts";

const say = textsIn("en");
const FRIENDS = sized(12, 80);
const HOUSEHOLDS = sized(20, 120);

test.use({ serviceWorkers: "allow" });

test("a daughter invites to her mother's funeral, gateways open every letter first, replies are counted, a cousin writes from abroad, and a year later every device still opens the page", {
  tag: "@long",
}, async ({ visit, person, server, expectedErrors }) => {
  // Requests without a network, the refused update that is merged, and React's message about a translated page.
  expectedErrors.push(
    /ERR_INTERNET_DISCONNECTED|WebSocket|Failed to fetch|ERR_FAILED/,
    /status of 40[19]/,
    /error #418/,
  );
  const [ada, bruno] = [await person("Ada Rossi", { plan: "skies-memories" }), await person("Bruno")];

  // At night, on a phone: name, date of death, a photo.
  const page = await visit({ ...PHONE, as: ada, timezoneId: "Europe/Rome", colorScheme: "dark" });
  await page.goto("/memory/new");
  await page.getByLabel(say("memories:fields.name"), { exact: true }).fill("Rosa Bellini");
  await page.getByRole("button", { name: say("memories:fields.addPassing") }).click();
  await fillDate(dateField(page, say("memories:fields.passing")), say, { year: dayAfter(-2).slice(0, "YYYY".length) });
  await page.getByLabel(say("memories:fields.story")).fill("She knew every tree by name.");
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([await noise("rosa.jpg")]);
  await page.getByRole("button", { name: say("memories:new.create") }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rosa Bellini", exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/memory\/[0-9a-f-]{36}$/);
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const covers = server.service().from("media").select("id").eq("memory_id", id).is("is_cover", true);
  await expect.poll(async () => (await covers).data?.length, { timeout: 180_000 }).toBe(1);

  // Place and time of the service, a livestream, and donations in lieu of flowers. Replies are asked for.
  await page.getByRole("button", { name: say("day:edit.first") }).click();
  for (const [label, value] of [
    ["date", dayAfter(3)],
    ["starts", "14:00"],
    ["place", "San Zeno"],
  ])
    await page.getByLabel(say(`day:edit.${label}`), { exact: true }).fill(value ?? "");
  await page.getByText(say("day:edit.streaming"), { exact: true }).click();
  await page.getByLabel(say("day:edit.stream"), { exact: true }).fill("https://example.com/live");
  await page.getByText(say("day:edit.more"), { exact: true }).click();
  await page.getByLabel(say("day:edit.gifts"), { exact: true }).fill("No flowers, please; the hospice instead");
  await page.getByLabel(say("day:edit.giftsUrl"), { exact: true }).fill("https://example.com/hospice");
  await page.getByRole("button", { name: say("day:edit.save"), exact: true }).click();
  const day = page.getByRole("region", { name: say("day:section"), exact: true });
  await expect(day.getByText("San Zeno")).toBeVisible();
  await page.getByRole("button", { name: say("dayReplies:host.ask") }).click();
  await page.getByRole("button", { name: say("dayReplies:settings.save"), exact: true }).click();
  const host = page.getByRole("region", { name: say("dayReplies:hostTitle"), exact: true });
  await expect(host.getByText(say("dayReplies:host.none"))).toBeVisible();

  // Friends are invited by one pasted list. The link for messengers shows name and cover.
  const friends = Array.from(
    { length: FRIENDS },
    (_, i) => `friend${i}.${crypto.randomUUID().slice(0, 8)}@example.com`,
  );
  await page
    .getByRole("button", { name: say("sharing:share"), exact: true })
    .first()
    .click();
  await page.getByRole("button", { name: say("sharing:invite.title") }).click();
  const field = page.getByLabel(say("people:invite.email"), { exact: true });
  await pasteText(field, friends.map((email, i) => `Friend ${i} <${email}>`).join(";\n"));
  await page.getByRole("button", { name: say("people:invite.submitMany", { count: FRIENDS }) }).click();
  const invited = () => ada.client.from("invitations").select("email").eq("memory_id", id).not("sent_at", "is", null);
  await expect.poll(async () => (await invited()).data?.length, { timeout: 300_000 }).toBe(FRIENDS);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const memory = (await ada.client.from("memories").select("share_id").eq("id", id).single().throwOnError()).data;
  const { data: link } = await ada.client
    .from("share_links")
    .update({ shared_at: "now", preview: "cover" })
    .eq("share_id", memory.share_id)
    .select("id,share_id")
    .single()
    .throwOnError();
  await ada.client.functions.invoke("share-pin", { body: { linkId: link.id, pin: null } });
  const shared = `${server.url}/shared/${link.share_id}`;
  const preview = await (await fetch(shared, { headers: { "user-agent": "WhatsApp/2.23" } })).text();
  expect(preview).toMatch(/<meta property="og:title" content="[^"]*Rosa Bellini/);
  const picture = preview.match(/<meta property="og:image" content="([^"]+)"/)?.[1] ?? "";
  expect((await fetch(picture)).headers.get("content-type")).toMatch(/^image\//);

  // Mail gateways open every link of twelve letters before their readers do.
  for (const email of friends.slice(0, 12)) {
    const { text } = await invitationTo(server, email);
    const links = text.match(/https?:\/\/[^\s\])>]+/g)?.filter((url) => url.startsWith(server.url)) ?? [];
    expect(links.length).toBeGreaterThan(1);
    for (const method of ["HEAD", "GET"]) await Promise.all(links.map((url) => fetch(url, { method })));
  }
  const states = await ada.client.from("invitations").select("state").eq("memory_id", id).eq("state", "open");
  expect(states.data).toHaveLength(FRIENDS);
  const friend = await visit({ ...PHONE });
  await friend.goto((await invitationTo(server, friends[0] ?? "")).shared);
  await expect(friend.getByRole("heading", { level: 1, name: "Rosa Bellini", exact: true })).toBeVisible();
  await expect(friend.getByText("No flowers, please; the hospice instead")).toBeVisible();

  // Households reply at once from devices without an account.
  const answers = ["yes", "no", "maybe"];
  const part = (await ada.client.from("memory_entries").select("id").eq("memory_id", id).single().throwOnError()).data;
  await Promise.all(
    Array.from({ length: HOUSEHOLDS }, async (_, i) => {
      const opened = await open(server, link.share_id);
      const guestKey = crypto.randomUUID().replaceAll("-", "");
      const signed = await post(
        server,
        "sign-guest",
        { name: `Household ${i}`, guestKey, language: "en", timeZone: "Europe/Rome" },
        { authorization: `Bearer ${opened.body.token}` },
      );
      expect(signed.status).toBe(200);
      const guest = server.client(String(signed.body.token));
      const reply = {
        memory_id: id,
        answer: answers[i % answers.length],
        names: [`Household ${i}`, ...(i % 2 ? [`Child ${i}`] : [])],
        part_ids: [part.id],
      };
      // Pressed twice.
      const sent = await Promise.all([guest.rpc("save_day_reply", reply), guest.rpc("save_day_reply", reply)]);
      expect(sent.map(({ error }) => error)).toEqual([null, null]);
    }),
  );
  const replies = Array.from({ length: HOUSEHOLDS }, (_, i) => ({ answer: answers[i % 3], persons: i % 2 ? 2 : 1 }));
  const come = replies.filter(({ answer }) => answer === "yes").reduce((sum, { persons }) => sum + persons, 0);
  await expect(host.getByText(`${come} come`, { exact: true })).toBeVisible();
  await host.getByRole("button", { name: say("dayReplies:host.show") }).click();
  await expect(host.getByRole("list", { name: say("dayReplies:host.list") }).getByRole("listitem")).toHaveCount(
    HOUSEHOLDS,
  );
  const downloading = page.waitForEvent("download");
  await host.getByRole("button", { name: say("dayReplies:host.csv") }).click();
  const rows = (await readFile(await (await downloading).path(), "utf8")).trimEnd().split("\r\n").slice(1);
  const persons = rows.filter((row) => row.startsWith('"Comes"')).map((row) => Number(row.split(",")[1]?.slice(1, -1)));
  expect(rows).toHaveLength(HOUSEHOLDS);
  expect(persons.reduce((sum, count) => sum + count, 0)).toBe(come);

  // A cousin abroad reads a machine translation of the page, and writes.
  const cousin = await visit({ ...PHONE, timezoneId: "America/New_York" });
  await cousin.addInitScript(translateDocument);
  await cousin.goto(shared);
  await expect(cousin.getByText("San Zeno").first()).toBeVisible();
  await cousin.getByLabel(say("comments:write.label")).fill("I light a candle in Boston");
  await cousin.keyboard.press("Control+Enter");
  await cousin.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }).fill("Gina");
  await cousin.keyboard.press("Enter");
  await expect(page.getByText("I light a candle in Boston").first()).toBeVisible();
  await expect(cousin.getByText(say("layout:oops.title"))).toHaveCount(0);

  // The brother corrects a date while she edits the story. Both stay.
  await server.change((db) =>
    db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [id, bruno.id]),
  );
  await page.reload();
  await page.getByRole("button", { name: say("stories:read.edit") }).click();
  await page.locator(".ProseMirror").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" And every bird.");
  await bruno.client.from("memories").update({ birth_date: "1931-03-03" }).eq("id", id).throwOnError();
  await page.getByRole("button", { name: say("stories:write.save"), exact: true }).click();
  const both = async () =>
    (await ada.client.from("memories").select("birth_date,description").eq("id", id).single()).data;
  await expect
    .poll(both)
    .toEqual({ birth_date: "1931-03-03", description: expect.stringContaining("by name. And every bird.") });

  // The order of service is printed at home.
  await page.getByRole("link", { name: say("day:service.tribute"), exact: true }).click();
  await page.getByRole("button", { name: say("printing:service.takeOver"), exact: true }).click();
  const printing = page.waitForEvent("download");
  await page.getByRole("button", { name: say("printing:save.pdf"), exact: true }).click();
  expect((await rasterPages(await readFile(await (await printing).path()), 50)).length % 2).toBe(0);

  // On the way to the grave there is no signal.
  await cousin.reload();
  await expect(cousin.getByText("San Zeno").first()).toBeVisible();
  await expect
    .poll(() => cousin.evaluate(async () => (await caches.keys()).some((name) => name.startsWith("skies-copies"))))
    .toBe(true);
  await cousin.context().setOffline(true);
  await cousin.reload();
  await expect(cousin.getByRole("heading", { level: 1, name: "Rosa Bellini", exact: true })).toBeVisible();
  await expect(cousin.getByText("San Zeno").first()).toBeVisible();
  await cousin.context().setOffline(false);

  // A year later, a new tab of each device opens the page: by the link, and by the letter.
  await server.change(async (db) => {
    await db.query(
      "update guests set created_at = created_at - interval '1 year', last_seen = last_seen - interval '1 year'",
    );
    await db.query(
      "update link_devices set first_seen = first_seen - interval '1 year', last_seen = last_seen - interval '1 year'",
    );
    await db.query(
      "update invitations set created_at = created_at - interval '1 year', sent_at = sent_at - interval '1 year'",
    );
    await db.query("update private.invitation_tokens set created_at = created_at - interval '1 year'");
    await db.query("update memory_entries set on_date = $2 where memory_id = $1", [id, dayAfter(-362)]);
  });
  for (const [context, address] of [
    [cousin.context(), shared],
    [friend.context(), (await invitationTo(server, friends[0] ?? "")).shared],
  ] as const) {
    const later = await context.newPage();
    await later.goto(address);
    await expect(later.getByRole("heading", { level: 1, name: "Rosa Bellini", exact: true })).toBeVisible();
    await expect(later.getByText("And every bird.")).toBeVisible();
  }
});
