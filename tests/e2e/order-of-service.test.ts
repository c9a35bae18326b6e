import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { cut, rasterPages, savePicture, scan } from "../support/printed-sheets.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
/** Where to leave pictures of the printed pages, to look at. */
const FOLDER = process.env.SCREENS_FOLDER;

test("a family writes an order of service with hymns and readings, and prints it folded", async ({ visit, person }) => {
  const ada = await person("Ada");
  const life = { kind: "tribute", person_name: "Rosa Bellini", birth_date: "1931-03-03", passing_date: "2026-11-20" };
  const memory = await newMemory(ada.client, life);
  await shareFirstLink(ada.client, memory.id);
  for (const [title, part, starts_at] of [
    ["Burial", "burial", "15:30:00"],
    ["Service", "service", "14:00:00"],
  ]) {
    const changes = { title, part, starts_at, on_date: "2026-12-05", time_zone: "Europe/Rome", place: "San Nicolò" };
    const args = { memory_id: memory.id, part_id: crypto.randomUUID(), changes };
    await ada.client.rpc("save_day_part", args).throwOnError();
  }
  const page = await visit({ as: ada, viewport: { width: 1280, height: 900 } });
  await page.goto(`/memory/${memory.id}`);
  await page.getByRole("link", { name: say("day:service.tribute"), exact: true }).click();
  await expect(page.getByText(say("printing:service.nothing"))).toBeVisible();
  await page.getByRole("button", { name: say("printing:service.takeOver"), exact: true }).click();
  const preview = page.getByRole("region", { name: say("printing:preview.label"), exact: true });
  await expect(preview.getByRole("img")).toContainText(/Rosa\s*Bellini/);

  await page.getByRole("button", { name: say("printing:service.kinds.hymn"), exact: true }).click();
  await page.getByLabel(say("printing:service.title"), { exact: true }).fill("Abide with me");
  await page.getByLabel(say("printing:service.by"), { exact: true }).fill("Henry Francis Lyte");
  const verse = "Abide with me; fast falls the eventide;\nthe darkness deepens; Lord, with me abide.";
  await page.getByLabel(say("printing:service.textLabel"), { exact: true }).fill(Array(12).fill(verse).join("\n\n"));
  await page.getByRole("button", { name: say("printing:service.kinds.prayer"), exact: true }).click();
  await page.getByLabel(say("printing:service.title"), { exact: true }).fill("אבינו שבשמים");
  await page.getByLabel(say("printing:service.textLabel"), { exact: true }).fill("יתקדש שמך\nתבוא מלכותך");
  await page.getByLabel(say("printing:service.closing"), { exact: true }).fill("Thank you for coming.");
  await expectAccessible(page);

  // The hymn moves up over the burial. What is deleted comes back with an undo, at its place.
  const list = page.getByRole("region", { name: say("printing:service.items"), exact: true });
  await list.getByRole("button", { name: say("printing:service.up", { name: "Abide with me" }) }).click();
  await list.getByRole("button", { name: say("printing:service.remove", { name: "Abide with me" }) }).click();
  await expect(list.getByText("Abide with me", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: say("printing:service.undo"), exact: true }).click();
  const titles = ["Service", "Abide with me", "Burial", "אבינו שבשמים"];
  await expect(list.getByRole("listitem")).toContainText(titles);

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: say("printing:save.pdf"), exact: true }).click();
  const rasters = await rasterPages(await readFile(await (await downloading).path()), 150);
  if (FOLDER) for (const [at, one] of rasters.entries()) await savePicture(one, join(FOLDER, `service-${at}.png`));
  expect(rasters.length % 2).toBe(0);
  const back = rasters[0] && scan(cut(rasters[0], { x: 0, y: 0, width: 148, height: 210 }));
  expect(back).toBe(new URL(`/shared/${memory.share_id}`, page.url()).href);

  // It is there next time, on a phone and in the dark.
  const phone = await visit({ as: ada, ...PHONE, colorScheme: "dark" });
  await phone.goto(`/memory/${memory.id}/service`);
  await expect(phone.getByRole("listitem").filter({ hasText: "Hymn" })).toContainText("Abide with me");
  await expect(phone.getByLabel(say("printing:service.closing"), { exact: true })).toHaveValue("Thank you for coming.");
  await expectAccessible(phone);
});
