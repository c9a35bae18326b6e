import { expectAccessible } from "../support/accessibility.ts";
import { dateField, fillDate } from "../support/date-field.ts";
import { expect, test } from "../support/e2e.ts";
import { noise } from "../support/files-to-upload.ts";
import { textsIn } from "../support/texts.ts";

const [en, it] = [textsIn("en"), textsIn("it")];
const phone = { width: 360, height: 740 };

test("a guest with a phone adds a photo, words and a candle under their name, and the family reads who it was", async ({
  visit,
  person,
  server,
}) => {
  test.setTimeout(120_000);
  const ada = await person("Ada");
  const { data: memory } = await ada.client
    .from("memories")
    .insert({ person_name: "Rosa", passing_date: "2019-05-04" })
    .select("id, share_id")
    .single()
    .throwOnError();
  const link = ada.client.from("share_links").update({ shared_at: "now", rights: "contribute", moderated: true });
  await link.eq("memory_id", memory.id).throwOnError();

  const guest = await visit({ language: "it", viewport: phone });
  await guest.goto(`/shared/${memory.share_id}`);
  await expect(guest.getByText(it("comments:who.signIn"))).toBeVisible();
  await guest.getByRole("button", { name: it("comments:candle.give") }).click();
  const dialog = guest.getByRole("dialog");
  await dialog.getByRole("button", { name: it("guests:sign.submit") }).click();
  await expect(dialog.getByText(it("guests:sign.nameMissing"))).toBeVisible();
  await dialog.getByLabel(it("guests:sign.name"), { exact: true }).fill("Gina Rossi");
  await dialog.getByLabel(it("guests:sign.email"), { exact: true }).fill("gina@example.com");
  await dialog.getByRole("button", { name: it("guests:sign.submit") }).click();
  // The press that asked for a name is remembered.
  await expect(guest.getByRole("button", { name: it("comments:candle.given") })).toBeVisible();
  await expect(guest.getByText(it("guests:add.as", { name: "Gina Rossi" }))).toBeVisible();
  await expect(guest.getByText(it("guests:add.moderated"))).toBeVisible();

  await guest.locator("input[type=file]").setInputFiles([await noise("lago.jpg"), await noise("festa.jpg")]);
  const receipts = guest.getByRole("region", { name: it("guests:mine.title") }).getByRole("listitem");
  await expect(receipts).toHaveCount(2, { timeout: 30_000 });
  await guest.getByRole("button", { name: it("guests:add.words") }).click();
  await guest.getByLabel(it("guests:write.label")).fill("Cantava sempre.\n\nAnche in barca.");
  await guest.getByRole("button", { name: it("guests:write.send") }).click();
  await expect(receipts).toHaveCount(3);
  await expect(receipts.getByText(it("guests:mine.held"))).toHaveCount(3);
  await guest.getByLabel(it("comments:write.label")).fill("Un abbraccio a tutti");
  await guest.keyboard.press("Control+Enter");
  await expect(guest.getByText(it("comments:read.held"))).toBeVisible();

  // Somebody else sees nothing of it yet.
  const other = await visit({ viewport: phone });
  await other.goto(`/shared/${memory.share_id}`);
  await expect(other.getByText(en("guests:add.text"))).toBeVisible();
  await expect(other.getByText("Gina Rossi")).toHaveCount(0);

  // The same browser is the same guest, in another tab too, and changes and takes back what is theirs.
  const again = await guest.context().newPage();
  await again.goto(`/shared/${memory.share_id}`);
  const kept = again.getByRole("region", { name: it("guests:mine.title") }).getByRole("listitem");
  await expect(kept).toHaveCount(3);
  const lake = kept.filter({ hasText: "lago.jpg" });
  await lake.getByRole("button", { name: it("guests:mine.addCaption") }).click();
  await lake.getByLabel(it("guests:mine.caption")).fill("Il lago, 1974");
  await lake.getByRole("button", { name: it("guests:write.save") }).click();
  await expect(lake.getByText("Il lago, 1974")).toBeVisible();
  // When it was they know best, in parts or not at all; and they can think again.
  await lake.getByRole("button", { name: it("guests:mine.setDate") }).click();
  await fillDate(dateField(lake, it("gallery:date.label")), it, { month: "summer", year: "1974" });
  await lake.getByRole("button", { name: it("gallery:date.save") }).click();
  await expect(lake.getByText(it("guests:mine.taken", { date: "estate 1974" }))).toBeVisible();
  await expectAccessible(again);
  await again.getByRole("button", { name: it("gallery:date.undo") }).click();
  await expect(lake.getByRole("button", { name: it("guests:mine.setDate") })).toBeVisible();
  await again.getByRole("button", { name: it("guests:mine.withdrawNamed", { name: "festa.jpg" }) }).click();
  await expect(kept).toHaveCount(2);
  // Once the notice with its way back has gone.
  const names = async () => (await ada.client.from("media").select("file_name").throwOnError()).data;
  await expect.poll(names, { timeout: 20_000 }).toEqual([{ file_name: "lago.jpg" }]);
  await expectAccessible(again);

  // Its managers have said yes: who it was stands with the photo, for everyone while the link shows names.
  await server
    .client(server.keys.secret)
    .from("media")
    .update({ moderation: "shown" })
    .eq("memory_id", memory.id)
    .throwOnError();
  await expect(kept.getByText(it("guests:mine.held"))).toHaveCount(1);
  const owner = await visit({ as: ada, viewport: { width: 1440, height: 900 } });
  const photo = (await ada.client.from("media").select("id").single().throwOnError()).data;
  await owner.goto(`/memory/${memory.id}?photo=${photo.id}`);
  await owner.getByRole("button", { name: en("gallery:details.show") }).click();
  await expect(owner.getByRole("definition").filter({ hasText: "Gina Rossi" })).toBeVisible();

  // A page that has read her name loses it as the link comes to hide names; the family reads it all the same.
  await server
    .client(server.keys.secret)
    .from("comments")
    .update({ moderation: "shown" })
    .eq("memory_id", memory.id)
    .throwOnError();
  const said = (page: typeof other) => page.locator("[data-comment]", { hasText: "Un abbraccio a tutti" });
  await expect(said(other).getByText("Gina Rossi")).toBeVisible();
  await ada.client
    .from("share_links")
    .update({ shows_names: false, moderated: false })
    .eq("memory_id", memory.id)
    .throwOnError();
  await expect(said(other).getByText(en("comments:someone"), { exact: true })).toBeVisible();
  await expect(other.getByText("Gina Rossi")).toHaveCount(0);
  await expect(again.getByText(it("guests:add.moderated"))).toHaveCount(0);
  await owner.goto(`/memory/${memory.id}`);
  await expect(said(owner).getByText("Gina Rossi")).toBeVisible();
});

test("a link that only takes shows nothing of what is there, and takes photos all the same", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const { data: memory } = await ada.client
    .from("memories")
    .insert({ person_name: "Rosa" })
    .select("id")
    .single()
    .throwOnError();
  const { data: link } = await ada.client
    .from("share_links")
    .insert({ memory_id: memory.id, rights: "upload" })
    .select("share_id")
    .single()
    .throwOnError();
  const guest = await visit({ viewport: phone });
  await guest.goto(`/shared/${link.share_id}`);
  await expect(guest.getByRole("heading", { level: 1, name: en("guests:only.title") })).toBeVisible();
  await expect(guest.getByText("Rosa")).toHaveCount(0);
  await guest.getByRole("button", { name: en("guests:add.start") }).click();
  await guest.getByRole("dialog").getByLabel(en("guests:sign.name"), { exact: true }).fill("Ugo");
  await guest.keyboard.press("Enter");
  await guest.locator("input[type=file]").setInputFiles(await noise("garden.jpg"));
  const receipt = guest.getByRole("region", { name: en("guests:mine.title") }).getByText(/garden\.jpg/);
  await expect(receipt).toBeVisible({ timeout: 30_000 });
  await guest.reload();
  await expect(receipt).toBeVisible();

  // By the link of a letter they are the same guest on another device, which keeps its secret out of the address.
  const key = await guest.evaluate(
    () => Object.entries({ ...localStorage }).find(([name]) => name.startsWith("skies-guest-"))?.[1],
  );
  const elsewhere = await visit({ viewport: phone, colorScheme: "dark" });
  await elsewhere.goto(`/shared/${link.share_id}#guest=${key}`);
  await expect(elsewhere.getByText(/garden\.jpg/)).toBeVisible();
  await expect(elsewhere).toHaveURL(/^[^#]+$/);

  await guest.getByRole("button", { name: en("reports:open") }).click();
  await guest.getByLabel(en("reports:reasons.unwanted")).check();
  await guest.getByRole("button", { name: en("reports:submit") }).click();
  await expect(guest.getByText(en("reports:sentTitle"))).toBeVisible();
});
