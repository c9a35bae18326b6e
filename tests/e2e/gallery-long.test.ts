import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { sized } from "../support/long-tests.ts";
import { multiplyPhotos } from "../support/many-photos.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const COUNT = sized(700, 10_000);
const MOST_BYTES = 150_000;

/** Counts the requests of a page for lists of photos, and their bytes as they arrive. */
async function watchLists(page: Page) {
  const seen = { names: [] as string[], bytes: 0 };
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const lists = new Map<string, string>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    const [, name] = /\/rest\/v1\/(rpc\/photo\w+|media)\?(?!.*select=id%2Cplaceholder)/.exec(request.url) ?? [];
    if (name && request.method === "GET") lists.set(requestId, name);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const name = lists.get(requestId);
    if (!name) return;
    seen.names.push(name);
    seen.bytes += encodedDataLength;
  });
  return seen;
}

test(`${COUNT} photos open in two requests for their owner and a guest, and the page leads to each of them`, async ({
  visit,
  person,
  server,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada", { plan: "skies-memories" });
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg", "landscape-orientation-6.jpg"));
  await server.change(async (db, dataDir) => {
    await multiplyPhotos(db, dataDir, memory.id, COUNT);
    // An opened page asks for what changed within the last minute.
    await db.exec(`alter table media disable trigger touch_updated_at;
      update media set updated_at = now() - interval '1 hour'; alter table media enable trigger touch_updated_at`);
  });
  const places = [
    [{ as: ada }, `/memory/${memory.id}`],
    [{}, `/shared/${memory.share_id}`],
  ] as const;
  for (const [as, path] of places) {
    const page = await visit({ ...as, viewport: { width: 1440, height: 900 } });
    const lists = await watchLists(page);
    await page.goto(path);
    await expect(page.getByRole("heading", { name: say("media:photos") })).toContainText(COUNT.toLocaleString("en"));
    await expect(tiles(page).first()).toBeAttached();
    await expect.poll(() => lists.names.length).toBeGreaterThanOrEqual(2);
    // The strip, the cover and the first photos come together. `tests/contract/long-galleries.test.ts` counts exactly:
    // here, on a slow machine, the channel may be joined while the rows are still read, so that both are read once more.
    const names = new Set(lists.names.filter((name) => name !== "media"));
    expect([...names].sort()).toEqual(["rpc/photo_outline", "rpc/photos_by_key"]);
    expect(lists.names.length, `${lists.names}`).toBeLessThanOrEqual(6);
    expect(lists.bytes).toBeLessThan(2 * MOST_BYTES);

    await toGallery(page);
    await expect.poll(() => drawn(page)).toBeGreaterThan(3);

    // The page is as high as it stays, and its end has its photos.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
    await expect.poll(() => drawn(page)).toBeGreaterThan(3);
    expect(Math.abs((await page.evaluate(() => document.documentElement.scrollHeight)) - height)).toBeLessThan(400);

    // A year, and the next photo in the lightbox.
    await page.evaluate(() => window.scrollTo(0, 0));
    await toGallery(page);
    await page.getByRole("button", { name: say("gallery:order.open"), exact: true }).click();
    const years = page.getByRole("menuitem", { name: /^20\d\d$/ });
    const year = (await years.last().textContent()) ?? "";
    await years.last().click();
    await expect(page.locator("[data-gallery] h3").filter({ hasText: year }).first()).toBeInViewport();
    await expect.poll(() => drawn(page)).toBeGreaterThan(0);
    const focused = page.locator("[data-gallery] a:focus");
    await expect(focused).toBeInViewport();
    await focused.press("Enter");
    const box = page.getByRole("dialog");
    await expect(box).toBeVisible();
    const title = (await box.getByRole("heading").first().textContent()) ?? "";
    await page.keyboard.press("ArrowRight");
    await expect(box).not.toHaveAccessibleName(title);
    await page.keyboard.press("End");
    await expect(box).toHaveAccessibleName(say("media:lightbox.title", { number: COUNT, count: COUNT }));
    await page.keyboard.press("Escape");
    await expect(box).toBeHidden();
    await expect(page.locator(`[aria-posinset="${COUNT}"] a`)).toBeFocused();
  }
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
