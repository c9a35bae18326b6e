import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page, WebSocketRoute } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import type { Person } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const [en, it] = [textsIn("en"), textsIn("it")];

const talk = (page: Page, say = en) => page.getByRole("region", { name: say("comments:title") });

async function write(page: Page, say: typeof en, text: string) {
  await talk(page, say).getByLabel(say("comments:write.label")).fill(text);
  await page.keyboard.press("Control+Enter");
}

async function addPhoto({ client }: Person, memoryId: string) {
  const [path = ""] = await photoPaths("gps-nikon.jpg");
  const { error } = await client.storage
    .from("media")
    .upload(`${memoryId}/${randomUUID()}.jpg`, await readFile(path), { contentType: "image/jpeg" });
  if (error) throw error;
  const ready = async () => (await client.from("media").select("id").eq("state", "ready").maybeSingle()).data?.id;
  await expect.poll(ready, { timeout: 180_000 }).toBeTruthy();
  return String(await ready());
}

/** Returns a function that cuts a page off from changes, or connects it again. */
async function cuttable(page: Page) {
  const open = new Set<WebSocketRoute>();
  let cut = false;
  await page.routeWebSocket(/realtime/, (socket) => {
    if (cut) return void socket.close();
    open.add(socket);
    socket.connectToServer();
  });
  return async (now: boolean) => {
    cut = now;
    await page.context().setOffline(now);
    if (now) for (const socket of open) await socket.close();
  };
}

/** Returns a function that counts the channels on which a page follows changes, and lists the server's refusals. */
function followChannels(page: Page) {
  const open = new Set<unknown>();
  const refused: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => {
      const [, , topic, event] = JSON.parse(String(payload));
      if (event === "phx_join") open.add(topic);
      if (event === "phx_leave") open.delete(topic);
    });
    socket.on("framereceived", ({ payload }) => {
      const [, , , , { response }] = JSON.parse(String(payload));
      if (response?.reason?.startsWith("Unable")) refused.push(response.reason);
    });
    socket.on("close", () => open.clear());
  });
  return () => ({ channels: open.size, refused });
}

test("Spec §6: a family comments on a memory live, each in their own language", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|WebSocket/);
  const [ada, bob, eve] = [await person("Ada"), await person("Bob Bruni"), await person("Eve")];
  const { id, share_id: shareId } = await newMemory(ada.client, { person_name: "Rosa", passing_date: "2019-05-04" });
  await shareFirstLink(ada.client, id);
  const bobs = { memory_id: id, user_id: bob.id, role: "contributor" };
  await server.client(server.keys.secret).from("memory_members").insert(bobs).throwOnError();
  const [photo] = await Promise.all([
    addPhoto(ada, id),
    ada.client.from("share_links").update({ rights: "comment" }).eq("memory_id", id).throwOnError(),
  ]);
  const [page, second, guest] = [
    await visit({ as: ada }),
    await visit({ as: bob, language: "it", viewport: { width: 768, height: 1024 } }),
    await visit({ viewport: { width: 360, height: 740 } }),
  ];
  const setCut = await cuttable(second);
  const listening = [page, guest].map(followChannels);
  await Promise.all([page.goto(`/memory/${id}`), second.goto(`/memory/${id}`), guest.goto(`/shared/${shareId}`)]);
  await expect(talk(page).getByText(en("comments:read.empty"))).toBeVisible({ timeout: 180_000 });
  // All parts of a page follow changes on one channel.
  for (const channels of listening) await expect.poll(channels).toEqual({ channels: 1, refused: [] });

  // A candle, and a comment with a mention, written by keyboard alone. A draft survives a reload.
  await second.getByRole("button", { name: it("comments:candle.give") }).click();
  await expect(page.getByRole("button", { name: en("comments:candle.count", { count: 1 }) })).toBeVisible();
  const field = talk(page).getByLabel(en("comments:write.label"));
  await field.click();
  await page.keyboard.type("She sang, @bru");
  await expect(page.getByRole("option", { name: "Bob Bruni" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await page.keyboard.type("knows: https://example.com/song.");
  await page.reload();
  await expect(field).toHaveValue("She sang, @Bob Bruni knows: https://example.com/song.");
  await field.click();
  await page.keyboard.press("Control+Enter");

  // The others see the comment arrive, with a working link. One of them answers and gives a heart.
  const hers = talk(second, it).getByText("She sang, @Bob Bruni");
  await expect(hers).toBeVisible();
  const link = guest.getByRole("link", { name: "https://example.com/song" });
  await expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow ugc");
  await talk(second, it)
    .getByRole("button", { name: it("comments:read.reply") })
    .click();
  await expect(talk(second, it).getByLabel(it("comments:write.answer", { name: "Ada" }))).toBeFocused();
  await second.keyboard.type("<b>Always</b>\nIn winter too");
  await second.keyboard.press("Control+Enter");
  const answer = talk(page).getByText("<b>Always</b>\nIn winter too");
  await expect(answer).toBeVisible();
  // Only what was in the middle half of the window counts as seen below. Where the field stands, depends on the reload.
  await answer.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const news = en("comments:read.newFrom", { name: "Bob Bruni" });
  await expect(talk(page).getByRole("status").filter({ hasText: news })).toBeAttached();
  await talk(second, it)
    .getByRole("button", { name: it("comments:react.add") })
    .first()
    .click();
  await second.getByRole("menuitem", { name: it("comments:react.kinds.heart") }).click();
  const heart = { kind: en("comments:react.kinds.heart"), count: 1, names: "Bob Bruni" };
  await expect(talk(page).getByRole("button", { name: en("comments:react.given", heart) })).toBeVisible();

  // Away from their section, the comments are in a panel. Its button counts new comments by others since the last look.
  const panel = page.getByRole("dialog", { name: en("comments:title") });
  const corner = page.getByRole("button", { name: en("comments:panel.open") });
  await page.setViewportSize({ width: 700, height: 640 });
  // Moves away from the field, because the button never covers it.
  await expect(corner).toBeHidden();
  await page.getByRole("heading", { level: 1 }).click();
  await expect(corner).toHaveAccessibleName(en("comments:panel.open"));
  await write(second, it, "Ci vediamo");
  await expect(corner).toHaveAccessibleName(en("comments:panel.openWith", { count: 1 }));
  await corner.click();
  await expect(panel).toBeFocused();
  await expect(panel.getByText("Ci vediamo")).toBeVisible();
  await panel.getByLabel(en("comments:write.label")).fill("Gladly");
  await page.keyboard.press("Escape");
  await expect(corner).toBeFocused();
  await expect(corner).toHaveAccessibleName(en("comments:panel.open"));
  await page.reload();
  await expect(field).toHaveValue("Gladly");
  await field.fill("");
  await page.setViewportSize({ width: 1280, height: 720 });

  // A lost connection is reported. It loses and duplicates nothing, and comments are sent by themselves afterwards.
  await setCut(true);
  await write(second, it, "Un attimo");
  await write(page, en, "Who has the recording?");
  await expect(talk(second, it).getByText(it("comments:read.notConnected"))).toBeVisible();
  await expect(talk(second, it).getByText(it("comments:write.waiting"))).toBeVisible();
  await setCut(false);
  await expect(talk(second, it).getByText("Who has the recording?")).toBeVisible({ timeout: 180_000 });
  await expect(talk(page).getByText("Un attimo")).toHaveCount(1);
  await expect(talk(second, it).getByText("Un attimo")).toHaveCount(1);
  await expect(talk(second, it).getByText(it("comments:read.notConnected"))).toHaveCount(0);

  // A manager deletes a comment, and undoes that.
  const more = en("comments:read.more", { name: "Bob Bruni" });
  await talk(page).getByRole("button", { name: more }).first().click();
  await page.getByRole("menuitem", { name: en("comments:read.delete") }).click();
  await expect(talk(page).getByText("Un attimo")).toHaveCount(0);
  await page.getByRole("button", { name: en("comments:delete.undo") }).click();
  await expect(talk(page).getByText("Un attimo")).toBeVisible();
  // A hidden comment also disappears from the page of a visitor, who cannot read the row itself.
  await expect(guest.getByText("Un attimo")).toBeVisible();
  const waiting = talk(page).getByRole("listitem").filter({ hasText: "Un attimo" });
  await waiting.getByRole("button", { name: more }).click();
  await page.getByRole("menuitem", { name: en("comments:read.hide"), exact: true }).click();
  await expect(guest.getByText("Un attimo")).toHaveCount(0);
  // A visitor signs in, returns and comments.
  await expect(guest.getByText("Sign in to add comments")).toBeVisible();
  await guest
    .getByRole("link", { name: en("comments:who.login") })
    .last()
    .click();
  await guest.getByLabel(en("account:email")).fill(eve.email);
  await guest.getByLabel(en("account:password"), { exact: true }).fill(eve.password);
  await guest.keyboard.press("Enter");
  await expect(guest).toHaveURL(new RegExp(`/shared/${shareId}`));
  await write(guest, en, "I knew her too");
  const eves = talk(page).getByRole("listitem").filter({ hasText: "I knew her too" });
  await expect(eves.getByText("Eve", { exact: true })).toBeVisible();

  // A comment about one photo, beside it. A visitor who may only look is told so.
  await page.goto(`/memory/${id}?photo=${photo}`);
  await page.getByRole("button", { name: en("comments:photo.open"), exact: true }).click();
  await write(page, en, "The old garden");
  await expect(page.getByRole("button", { name: en("comments:photo.openWith", { count: 1 }) })).toBeVisible();
  // The URL of a notice opens the comment beside its photo.
  const garden = await ada.client.from("comments").select("id").eq("body", "The old garden").single().throwOnError();
  await second.goto(`/memory/${id}?photo=${photo}#comment-${garden.data.id}`);
  await expect(talk(second, it).locator(`#comment-${garden.data.id}`)).toBeInViewport();
  await ada.client.from("share_links").update({ rights: "view" }).eq("memory_id", id).throwOnError();
  await expect(guest.getByText("You don't have permission to comment on this memory")).toBeVisible();
});
