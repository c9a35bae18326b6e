import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { shiftsOn, watchShifts } from "../support/layout-shift.ts";
import { sized } from "../support/long-tests.ts";
import { multiplyPhotos } from "../support/many-photos.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const COUNT = sized(300, 5000);

test(`a gallery of ${COUNT} photos renders only a few at a time, without layout shifts, and works by URL and keyboard`, async ({
  visit,
  person,
  server,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada", { plan: "skies-memories" });
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg", "landscape-orientation-6.jpg"));
  await server.change((db, dataDir) => multiplyPhotos(db, dataDir, memory.id, COUNT));

  const page = await visit({ as: ada, viewport: { width: 1440, height: 900 } });
  await watchShifts(page);
  const signed: number[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/object/sign/media"))
      signed.push((request.postDataJSON() as { paths: string[] }).paths.length);
  });
  await page.goto(`/memory/${memory.id}`);
  await expect(page.getByRole("heading", { name: say("media:photos") })).toContainText(COUNT.toLocaleString("en"));
  await toGallery(page);

  // From end to end: only a few tiles exist at any time, and all in the window show their pixels.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let part = 1; part <= 6; part++) {
    await page.evaluate((top) => window.scrollTo(0, top), (height * part) / 6 - 900);
    await expect.poll(() => drawn(page)).toBeGreaterThan(0);
    expect(await page.locator("[data-gallery] *").count()).toBeLessThan(400);
  }
  expect(Math.max(...signed)).toBeLessThanOrEqual(100);
  expect(await shiftsOn(page)).toEqual([]);

  // A reload keeps the place.
  const place = await page.evaluate(() => {
    window.scrollTo(0, 1500);
    return window.scrollY;
  });
  await page.reload();
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(place));
  await expect.poll(() => drawn(page)).toBeGreaterThan(0);
  expect(await page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(place));

  // A photo from the middle has its own URL. Closing it leaves the page at that photo.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  await expect.poll(() => drawn(page)).toBeGreaterThan(0);
  const tile = tiles(page).locator("a").filter({ visible: true }).nth(12);
  await tile.click();
  const box = page.getByRole("dialog");
  await expect(box).toBeVisible();
  const address = page.url();
  const title = (await box.getByRole("heading").first().textContent()) ?? "";
  const before = await page.evaluate(() => window.scrollY);
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - before)).toBeLessThan(400);

  const deep = await visit({ as: ada });
  await deep.goto(address);
  await expect(deep.getByRole("dialog")).toHaveAccessibleName(title);
  const picture = deep.getByRole("dialog").locator("img").last();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100);
  // The next photo is out of view on the page: closing it scrolls there and moves the focus.
  await deep.keyboard.press("ArrowRight");
  await expect(deep.getByRole("dialog")).not.toHaveAccessibleName(title);
  const id = new URL(deep.url()).searchParams.get("photo");
  await deep.keyboard.press("Escape");
  await expect(deep.locator(`#photo-${id}`)).toBeFocused();
  await expect(deep.locator(`#photo-${id}`)).toBeInViewport();

  // By keyboard: one tab stop, arrows from photo to photo, and End for the last one.
  await deep.keyboard.press("End");
  await expect(deep.locator(`[aria-posinset="${COUNT}"] a`)).toBeFocused();
  await deep.keyboard.press("ArrowLeft");
  await expect(deep.locator(`[aria-posinset="${COUNT - 1}"] a`)).toBeFocused();
});

/** The number of tiles in the window that show their pixels. */
const drawn = (page: Page) =>
  tiles(page).evaluateAll(
    (all) =>
      all.filter((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        const img = tile.querySelector("img");
        return bottom > 0 && top < window.innerHeight && img?.complete && img.naturalWidth > 32;
      }).length,
  );
