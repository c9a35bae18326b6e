// Walked elsewhere: table cards (printing.test.ts), replies (day-replies.test.ts), the live wall (wall.test.ts and, for its
// two hours, wall-hours.test.ts), questions (prompts.test.ts), and a bad network with hundreds of files (uploads.test.ts).
import { readFile } from "node:fs/promises";
import { expectAccessible } from "../../support/accessibility.ts";
import { dateField, fillDate } from "../../support/date-field.ts";
import { expect, PHONE, test } from "../../support/e2e.ts";
import { noise } from "../../support/files-to-upload.ts";
import { printedPage, scanDrawing } from "../../support/printed-code.ts";
import { newMemory } from "../../support/sharing.ts";
import { textsIn } from "../../support/texts.ts";

const [en, it] = [textsIn("en"), textsIn("it")];

test("Spec §4: a host prints a QR code, guests who scan it add photos and texts without accounts, and an unkind comment is hidden and its author blocked", async ({
  visit,
  server,
  person,
  expectedErrors,
}) => {
  // The share gate, which is closed for a blocked person and after the end of the link.
  expectedErrors.push(/the server responded with a status of (40[134]|410)/);
  const ada = await person("Ada");
  const { id, share_id: shareId } = await newMemory(ada.client, {
    person_name: "Łucja 山田",
    kind: "event",
    event_date: "2026-06-20",
  });
  const link = ada.client.from("share_links").update({ shared_at: "now", rights: "contribute", moderated: true });
  await link.eq("memory_id", id).throwOnError();

  // The code for the tables is a PDF of exactly its size, with the name under it.
  const host = await visit({ ...PHONE, as: ada });
  await host.goto(`/memory/${id}`);
  await host.getByRole("button", { name: en("sharing:share"), exact: true }).click();
  for (const name of [en("sharing:more.title"), en("sharing:print.title")])
    await host.getByRole("button", { name }).last().click();
  await host.getByText(en("sharing:print.mm", { count: 50 })).click();
  const download = host.waitForEvent("download");
  await host
    .getByRole("button", { name: en("sharing:print.pdf") })
    .last()
    .click();
  expect((await download).suggestedFilename()).toBe("Skies Łucja 山田 50 mm.pdf");
  const sheet = await printedPage(await readFile(await (await download).path()));
  expect(sheet.title).toBe("Łucja 山田");
  expect(sheet.width).toBeCloseTo(50, 3);
  expect(sheet.height).toBeCloseTo(58, 3);
  const scanned = (await scanDrawing(sheet.drawn)) ?? "";
  expect(scanned).toBe(`${server.url}/shared/${shareId}`);

  // A guest gives a heart, which asks for a name once, and adds photos and a text.
  const guest = await visit({ ...PHONE, language: "it" });
  await guest.goto(scanned);
  await expect(guest.getByText(it("comments:who.signIn"))).toBeVisible();
  await guest.getByRole("button", { name: it("comments:heart.give") }).click();
  const dialog = guest.getByRole("dialog");
  await dialog.getByRole("button", { name: it("guests:sign.submit") }).click();
  await expect(dialog.getByText(it("guests:sign.nameMissing"))).toBeVisible();
  await dialog.getByLabel(it("guests:sign.name"), { exact: true }).fill("Gina Rossi");
  await dialog.getByLabel(it("guests:sign.email"), { exact: true }).fill("gina@example.com");
  await dialog.getByRole("button", { name: it("guests:sign.submit") }).click();
  await expect(guest.getByRole("button", { name: it("comments:heart.given") })).toBeVisible();
  await expect(guest.getByText(it("guests:add.as", { name: "Gina Rossi" }))).toBeVisible();
  await expect(guest.getByText(it("guests:add.moderated"))).toBeVisible();
  await guest
    .locator("input[type=file]")
    .last()
    .setInputFiles([await noise("lago.jpg"), await noise("festa.jpg")]);
  const receipts = guest.getByRole("region", { name: it("guests:mine.title") }).getByRole("listitem");
  await expect(receipts).toHaveCount(2, { timeout: 180_000 });
  await guest.getByRole("button", { name: it("guests:add.words") }).click();
  await guest.getByLabel(it("guests:write.label")).fill("Cantava sempre.\n\nAnche in barca.");
  await guest.getByRole("button", { name: it("guests:write.send") }).click();
  await expect(receipts).toHaveCount(3);
  await expect(receipts.getByText(it("guests:mine.held"))).toHaveCount(3);

  // Another guest sees nothing of it yet. The same browser is the same guest, and changes its own contributions.
  const other = await visit(PHONE);
  await other.goto(`/shared/${shareId}`);
  await expect(other.getByText(en("guests:add.text"))).toBeVisible();
  await expect(other.getByText("Gina Rossi")).toHaveCount(0);
  const again = await guest.context().newPage();
  await again.goto(`/shared/${shareId}`);
  const ownFiles = again.getByRole("region", { name: it("guests:mine.title") }).getByRole("listitem");
  await expect(ownFiles).toHaveCount(3);
  const lake = ownFiles.filter({ hasText: "lago.jpg" });
  await lake.getByRole("button", { name: it("guests:mine.addCaption") }).click();
  await lake.getByLabel(it("guests:mine.caption")).fill("Il lago, 1974");
  await lake.getByRole("button", { name: it("guests:write.save") }).click();
  await expect(lake.getByText("Il lago, 1974")).toBeVisible();
  // Guests know the date best. They may give a part of it or none, and can undo it.
  await lake.getByRole("button", { name: it("guests:mine.setDate") }).click();
  await fillDate(dateField(lake, it("gallery:date.label")), it, { month: "summer", year: "1974" });
  await lake.getByRole("button", { name: it("gallery:date.save") }).click();
  await expect(lake.getByText(it("guests:mine.taken", { date: "estate 1974" }))).toBeVisible();
  await again.getByRole("button", { name: it("gallery:date.undo") }).click();
  await expect(lake.getByRole("button", { name: it("guests:mine.setDate") })).toBeVisible();
  await expectAccessible(again);
  await again.getByRole("button", { name: it("guests:mine.withdrawNamed", { name: "festa.jpg" }) }).click();
  await expect(ownFiles).toHaveCount(2);
  // The row is deleted once the toast with its undo button has gone.
  const names = async () => (await ada.client.from("media").select("file_name").throwOnError()).data;
  await expect.poll(names).toEqual([{ file_name: "lago.jpg" }]);

  // One guest is unkind.
  await other.getByLabel(en("comments:write.label")).fill("What a dull day");
  await other.keyboard.press("Control+Enter");
  await other.getByRole("dialog").getByLabel(en("guests:sign.name"), { exact: true }).fill("Ugo");
  await other.keyboard.press("Enter");
  await expect(other.getByText(en("comments:read.held"))).toBeVisible();

  // The hosts approve the kind contributions: one key approves, another undoes. A blocked person is shut out.
  const desk = await visit({ as: ada });
  await desk.goto("/");
  await expect(desk.getByText(en("memories:list.waiting", { count: 4 }))).toBeVisible();
  await desk.getByRole("link", { name: "Łucja 山田" }).click();
  await desk.getByRole("link", { name: en("moderation:openWith", { count: 4 }) }).click();
  await expect(desk.getByRole("heading", { level: 1, name: en("moderation:title") })).toBeVisible();
  const items = desk.getByRole("article");
  await expect(items).toHaveCount(4);
  const unkind = items.filter({ hasText: "What a dull day" });
  const kind = items.filter({ hasNotText: "What a dull day" }).first();
  for (const count of [3, 2]) {
    await kind.getByRole("button", { name: en("moderation:approve") }).click();
    await expect(items).toHaveCount(count);
  }
  await kind.focus();
  await desk.keyboard.press("a");
  await expect(items).toHaveCount(1);
  await expect(unkind).toContainText("Ugo");
  await unkind.focus();
  await desk.keyboard.press("h");
  await expect(desk.getByText(en("moderation:noneTitle"))).toBeVisible();
  await desk.keyboard.press("u");
  await expect(items).toHaveCount(1);
  await desk.keyboard.press("h");
  await expect(items).toHaveCount(0);
  await desk.getByRole("radio", { name: en("moderation:hidden") }).check();
  await unkind.focus();
  await desk.keyboard.press("b");
  await expect(desk.getByText(en("moderation:blocked", { name: "Ugo" }), { exact: true })).toBeVisible();
  await expect(
    other.getByText(en("shareGate:open.closed")).or(other.getByText(en("guests:sign.blocked"))),
  ).toBeVisible();
  await expect(guest.getByText("What a dull day")).toHaveCount(0);

  // The photo has the guest's name until the link hides names. The family can read them in any case.
  await expect(ownFiles.getByText(it("guests:mine.held"))).toHaveCount(0);
  const late = await visit(PHONE);
  await late.goto(`/shared/${shareId}`);
  await expect(late.getByText("Gina Rossi").first()).toBeVisible();
  await ada.client.from("share_links").update({ shows_names: false }).eq("memory_id", id).throwOnError();
  await expect(late.getByText("Gina Rossi")).toHaveCount(0);

  // Uploads end on a date, which open pages notice by themselves.
  const soon = new Date(Date.now() + 4000).toISOString();
  await ada.client.from("share_links").update({ expires_at: soon }).eq("memory_id", id).throwOnError();
  await expect(late.getByRole("heading", { name: en("shareGate:open.expired") })).toBeVisible();
});
