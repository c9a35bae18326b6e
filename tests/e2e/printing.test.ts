import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type Format, sheetOf } from "../../web/features/printing/sheets.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { cut, isPrinted, rasterPages, savePicture, scan } from "../support/printed-sheets.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const SCANNED_AT = 150;
/** Where to leave pictures of the printed pages, to look at. */
const FOLDER = process.env.SCREENS_FOLDER;

/** Saves the PDF and resolves to what is read from the code of each card, page by page. */
async function printed(page: Page, format: Format, bleed: boolean, name?: string) {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: say("printing:save.pdf"), exact: true }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/\.pdf$/);
  const pdf = await readFile(await file.path());
  const rasters = await rasterPages(pdf, SCANNED_AT);
  if (FOLDER && name)
    for (const [at, raster] of rasters.entries()) await savePicture(raster, join(FOLDER, `${name}-${at}.png`));
  const { cards } = sheetOf(format, bleed);
  return {
    pages: rasters.length,
    codes: rasters.flatMap((raster) => cards.map((box) => scan(cut(raster, box)))).filter((code) => code !== undefined),
    cards: rasters.flatMap((raster) =>
      cards.map((box) =>
        isPrinted(cut(raster, { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4 })),
      ),
    ),
  };
}

const choose = (page: Page, label: string) => page.getByRole("radio", { name: label, exact: true }).check();

test("hosts print cards with their words, a code for each table, and place cards of who comes", {
  tag: "@long",
}, async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { kind: "event", person_name: "Anna & Marco", event_date: "2027-06-12" });
  const page = await visit({ as: ada, viewport: { width: 1280, height: 900 } });
  await page.goto(`/memory/${memory.id}/print`);
  await expect(page.getByText(say("printing:unshared.title"))).toBeVisible();
  await page.getByRole("link", { name: say("printing:unshared.go") }).click();
  await page.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  const link = String(await page.getByRole("dialog").getByLabel(say("sharing:link"), { exact: true }).inputValue());
  await page.getByRole("link", { name: say("sharing:printing.open") }).click();

  // The memory's name, words for guests who can add, and the PIN are there already.
  const preview = page.getByRole("region", { name: say("printing:preview.label"), exact: true });
  const drawing = preview.getByRole("img");
  await expect(drawing).toContainText(/Anna &\s*Marco/);
  await expect(drawing).toContainText(/PIN \d{4}/);
  await page
    .getByLabel(say("printing:words.words"), { exact: true })
    .fill("تعالوا وشاركونا صوركم 📷 来て見て、写真を一緒に分かち合いましょう");
  await expect(drawing).toContainText("تعالوا");
  await page.getByLabel(say("printing:words.title"), { exact: true }).fill("Anna und Marco Hohenstein-Wittgenstein");
  await choose(page, say("printing:design.frame"));
  await expectAccessible(page);
  expect(await printed(page, "cards8", false, "cards8")).toMatchObject({ pages: 1, codes: Array(8).fill(link) });

  await choose(page, say("printing:design.tint"));
  await page.getByRole("switch", { name: say("printing:bleed.label"), exact: true }).check();
  for (const [format, count] of [
    ["cards4", 4],
    ["a3", 1],
  ] as const) {
    await choose(page, say(`printing:format.${format}`));
    expect(await printed(page, format, true, format)).toMatchObject({ pages: 1, codes: Array(count).fill(link) });
  }

  // A code for each table: links of their own, which open without a PIN.
  await choose(page, say("printing:format.cards8"));
  await choose(page, say("printing:codes.each"));
  await page
    .getByLabel(say("printing:codes.names"), { exact: true })
    .fill(Array.from({ length: 11 }, (_, at) => `Table ${at + 1}`).join("\n"));
  await page.getByRole("button", { name: "Make 11 codes", exact: true }).click();
  await expect(page.getByLabel("Table 11", { exact: true })).toBeChecked();
  await page.getByLabel("Table 10", { exact: true }).uncheck();
  await expectAccessible(page);
  const tables = await printed(page, "cards8", true, "tables");
  const { data: links } = await ada.client
    .from("share_links")
    .select("label,share_id")
    .eq("memory_id", memory.id)
    .eq("is_first", false)
    .throwOnError();
  const ofTable = (number: number) =>
    new URL(`/shared/${links.find(({ label }) => label === `Table ${number}`)?.share_id}`, page.url()).href;
  expect(tables).toMatchObject({ pages: 2, codes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 11].map(ofTable) });
  const guest = await visit({ ...PHONE });
  await guest.goto(ofTable(9));
  await expect(guest.getByRole("heading", { level: 1, name: "Anna & Marco" })).toBeVisible();

  // Place cards: 12 households of three, one of whom is not named, and those who do not come.
  const part = crypto.randomUUID();
  const changes = { title: "Dinner", part: "dinner", on_date: "2027-06-12", time_zone: "Europe/Rome" };
  await ada.client.rpc("save_day_part", { memory_id: memory.id, part_id: part, changes }).throwOnError();
  const settings = { closes_at: null, time_zone: "Europe/Rome", places: null, waiting_list: true, questions: [] };
  await ada.client
    .rpc("save_day_reply_settings", { memory_id: memory.id, part_ids: [part], ...settings })
    .throwOnError();
  const reply = (answer: "yes" | "no", names: string[]) =>
    ada.client
      .rpc("save_day_reply", {
        memory_id: memory.id,
        reply_id: crypto.randomUUID(),
        answer,
        names,
        part_ids: answer === "yes" ? [part] : [],
      })
      .throwOnError();
  for (let at = 0; at < 12; at++) await reply("yes", [`Maximiliane Hohenstein-Wittgenstein ${at}`, `שלמה ${at}`, ""]);
  await reply("no", ["Nobody Comes"]);
  await page.goto(`/memory/${memory.id}`);
  await page.getByRole("button", { name: say("dayReplies:host.show") }).click();
  await page.getByRole("link", { name: say("dayReplies:host.placeCards") }).click();
  await expect(page.getByText("36 place cards", { exact: true })).toBeVisible();
  await expect(page.getByText("Nobody Comes")).toHaveCount(0);
  await page.getByLabel("Guest of Maximiliane Hohenstein-Wittgenstein 3", { exact: true }).uncheck();
  await page.getByLabel(say("printing:places.extra"), { exact: true }).fill("Nonna Rosa\n\n陳大文");
  await page.getByRole("switch", { name: say("printing:codes.withCode"), exact: true }).check();
  await expect(page.getByText("37 place cards", { exact: true })).toBeVisible();
  await expectAccessible(page);
  const places = await printed(page, "places", false, "places");
  expect([places.pages, places.codes, places.cards.filter(Boolean).length]).toEqual([4, Array(37).fill(link), 37]);

  // Everything is there again next time, and on a phone.
  const phone = await visit({ as: ada, ...PHONE, colorScheme: "dark" });
  await phone.goto(`/memory/${memory.id}/print?format=places`);
  await expect(phone.getByText("37 place cards", { exact: true })).toBeVisible();
  await expect(phone.getByLabel(say("printing:places.extra"), { exact: true })).toHaveValue("Nonna Rosa\n陳大文");
  await choose(phone, say("printing:format.a5"));
  await expect(phone.getByLabel(say("printing:words.title"), { exact: true })).toHaveValue(
    "Anna und Marco Hohenstein-Wittgenstein",
  );
  await expect(phone.getByRole("radio", { name: say("printing:design.tint"), exact: true })).toBeChecked();
  await expectAccessible(phone);

  // Members who are no managers print nothing.
  const bob = await person("Bob");
  await newRow(ada.client, "share_links", { memory_id: memory.id });
  const stranger = await visit({ as: bob });
  await stranger.goto(`/memory/${memory.id}/print`);
  await expect(stranger.getByRole("heading", { level: 1, name: say("memories:page.missingTitle") })).toBeVisible();
});
