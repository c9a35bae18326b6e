import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { multiplyPhotos } from "../support/many-photos.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

/** The top, left and right edges of each rendered photo in order, in whole CSS pixels. */
const places = (page: Page) =>
  tiles(page).evaluateAll((all) =>
    all.map((tile) => {
      const { top, left: tileLeft, width } = tile.getBoundingClientRect();
      return { top: Math.round(top), left: Math.round(tileLeft), right: Math.round(tileLeft + width) };
    }),
  );

test("a day with one photo shares its row with the next days, on a phone and on a wide screen", {
  tag: "@sample",
}, async ({ visit, person, server }) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  // Each photo on a separate day.
  await server.change((db, dataDir) => multiplyPhotos(db, dataDir, memory.id, 8));
  for (const [width, least] of [
    [360, 2],
    [1440, 3],
  ] as const) {
    const page = await visit({ as: ada, viewport: { width, height: 900 } });
    await page.goto(`/memory/${memory.id}`);
    await toGallery(page);
    await expect(tiles(page)).toHaveCount(8);
    const gallery = await page.locator("[data-gallery]").evaluate((element) => {
      const { left: x, right } = element.getBoundingClientRect();
      return { left: Math.round(x), right: Math.round(right) };
    });
    const all = await places(page);
    const rows = [...new Set(all.map(({ top }) => top))].map((top) => all.filter((one) => one.top === top));
    const [first = [], ...others] = rows;
    expect(first.length).toBeGreaterThanOrEqual(least);
    // All but the last row reach from edge to edge.
    for (const row of [first, ...others.slice(0, -1)]) {
      expect(Math.abs((row[0]?.left ?? 0) - gallery.left)).toBeLessThanOrEqual(1);
      expect(Math.abs((row.at(-1)?.right ?? 0) - gallery.right)).toBeLessThanOrEqual(1);
    }
  }
});

test("long comments are shown beside many photos, which stay in view, and below a few at reading width", async ({
  visit,
  person,
  server,
}) => {
  const ada = await person("Ada", { plan: "skies-memories" });
  const [few, many] = [
    await memoryWith(ada, await photoPaths("canon.jpg")),
    await memoryWith(ada, await photoPaths("canon.jpg")),
  ];
  await server.change((db, dataDir) => multiplyPhotos(db, dataDir, many.id, 12));
  for (const { id } of [few, many]) {
    const said = Array.from({ length: 30 }, (_, index) => ({
      memory_id: id,
      body: `We all remember this. ${"It was a long summer. ".repeat(6)}${index}`,
    }));
    expect((await ada.client.from("comments").insert(said)).error).toBeNull();
  }
  const page = await visit({ as: ada, viewport: { width: 1440, height: 900 } });
  const conversation = page.getByRole("region", { name: say("comments:title") });

  // Beside many photos: they stay in view while the conversation is read to its end.
  await page.goto(`/memory/${many.id}`);
  await expect(conversation.getByText("remember this").first()).toBeVisible();
  const widths = async () => ({
    talk: (await conversation.boundingBox())?.width ?? 0,
    page: await page.evaluate(() => document.documentElement.clientWidth),
  });
  // Until the photos are loaded, it is not known whether there is space beside them.
  await expect.poll(async () => (await widths()).talk).toBeLessThan(500);
  // The page may still grow while it is scrolled.
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(conversation.getByText("remember this").last()).toBeInViewport({ timeout: 1000 });
    await expect(tiles(page).last()).toBeInViewport({ timeout: 1000 });
  }).toPass();
  // From there, the keyboard leads to the first photo.
  await tiles(page).last().locator("a").focus();
  await page.keyboard.press("Home");
  await expect(tiles(page).first().locator("a")).toBeFocused();
  await expect(tiles(page).first()).toBeInViewport();

  // Under a few photos: in the middle, in a width that is good for reading.
  await page.goto(`/memory/${few.id}`);
  await expect(conversation.getByText("remember this").first()).toBeVisible();
  await expect
    .poll(async () => {
      const { talk, page: whole } = await widths();
      return talk / whole;
    })
    .toBeGreaterThan(0.5);
});
