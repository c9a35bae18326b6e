import sharp from "sharp";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const WORDS = "Zia Carmela, Lucca 1951";
const scan = async (name: string, background: string) => ({
  name,
  mimeType: "image/jpeg",
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer(),
});

test("prints are paired by name and by hand, turned over, described and found, by their family and by a visitor on a phone", {
  tag: "@sample",
}, async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([
      await scan("Scan_1.jpg", "#a33"),
      await scan("Scan_1_b.jpg", "#eee0c0"),
      await scan("Garden.jpg", "#3a3"),
      await scan("Garden, other side.jpg", "#c0d0ee"),
    ]);
  const photos = async () =>
    (
      (
        await ada.client
          .from("media")
          .select("id,state,moderation,has_back,file_name")
          .eq("memory_id", memory.id)
          .throwOnError()
      ).data ?? []
    ).map(({ file_name, ...row }) => ({ ...row, name: String(file_name) }));
  const states = async () =>
    (await photos()).map(({ name, state, moderation }) => `${name} ${state} ${moderation}`).sort();
  await expect
    .poll(states, { timeout: 120_000 })
    .toEqual([
      "Garden, other side.jpg ready shown",
      "Garden.jpg ready shown",
      "Scan_1.jpg ready shown",
      "Scan_1_b.jpg ready attached",
    ]);
  const idOf = async (name: string) => (await photos()).find((row) => row.name === name)?.id ?? "";

  // Turned over by the button and by the key, and described.
  await page.goto(`/memory/${memory.id}?photo=${await idOf("Scan_1.jpg")}`);
  const dialog = page.getByRole("dialog");
  const side = (which: "front" | "back") => dialog.getByText(say(`gallery:sides.${which}`), { exact: true });
  const turn = dialog.getByRole("button", { name: say("gallery:sides.turn") });
  const picture = dialog.locator("img").first();
  const source = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0 && image.currentSrc);
  await expect(side("front")).toBeVisible();
  await expect.poll(source).not.toContain("side=back");
  await turn.click();
  await expect(side("back")).toBeVisible();
  await expect.poll(source).toContain("side=back");
  await page.keyboard.press("f");
  await expect(side("front")).toBeVisible();
  await dialog.getByRole("button", { name: say("gallery:details.show") }).click();
  const backText = page.getByLabel(say("gallery:details.back"), { exact: true });
  await backText.fill(WORDS);
  // The letter is typed, and turns nothing.
  await backText.press("f");
  await backText.press("Backspace");
  await backText.blur();
  await expect
    .poll(async () => (await ada.client.from("media").select("back_text").eq("has_back", true).single()).data)
    .toEqual({ back_text: WORDS });
  await expect(side("front")).toBeVisible();

  // Paired by hand from the selection, undone, and paired again.
  await page.goto(`/memory/${memory.id}`);
  const backs = async () => (await photos()).filter(({ has_back }) => has_back).length;
  const ids = { garden: await idOf("Garden.jpg"), other: await idOf("Garden, other side.jpg") };
  const choose = async (...chosen: string[]) => {
    await page.getByRole("button", { name: say("gallery:select.start"), exact: true }).click();
    for (const id of chosen) await page.locator(`a[href*="${id}"]`).first().click();
    await page.getByRole("button", { name: say("gallery:sides.tool") }).click();
  };
  await choose(ids.garden, ids.other);
  await page.getByRole("menuitem", { name: say("gallery:sides.pair", { count: 1 }) }).click();
  await expect.poll(backs).toBe(2);
  await page.getByRole("button", { name: say("gallery:sides.undo"), exact: true }).click();
  await expect.poll(backs).toBe(1);
  await expect(page.locator(`a[href*="${ids.other}"]`).first()).toBeVisible();
  await choose(ids.garden, ids.other);
  await page.getByRole("menuitem", { name: say("gallery:sides.pair", { count: 1 }) }).click();
  await expect.poll(backs).toBe(2);
  const print = (await photos()).find(({ has_back, name }) => has_back && name.startsWith("Garden"))?.id ?? "";
  await choose(print);
  await page.getByRole("menuitem", { name: say("gallery:sides.swap") }).click();
  await expect.poll(async () => (await photos()).find(({ id }) => id === print)?.moderation).toBe("attached");

  // Found by the words on the back, which then is open.
  await page.goto(`/search?q=carmela`);
  await page.getByRole("link", { name: WORDS }).first().click();
  await expect(side("back")).toBeVisible();
  await expect(dialog.getByText(WORDS, { exact: true }).first()).toBeVisible();
  await expectAccessible(page);

  const visitor = await visit({ viewport: { width: 360, height: 740 }, reducedMotion: "reduce" });
  await visitor.goto(`/shared/${memory.share_id}?photo=${await idOf("Scan_1.jpg")}`);
  await expect(visitor.getByText(say("gallery:sides.front"), { exact: true })).toBeVisible();
  await visitor.getByRole("button", { name: say("gallery:sides.turn") }).click();
  await expect(visitor.getByText(say("gallery:sides.back"), { exact: true })).toBeVisible();
  await expect(visitor.getByText(WORDS, { exact: true })).toBeVisible();
  await expect
    .poll(() =>
      visitor
        .getByRole("dialog")
        .locator("img")
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
  await expectAccessible(visitor);
});
