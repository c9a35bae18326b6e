import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { hasRealPhoto, photoPaths } from "../support/photos.ts";

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8];

test("a photo looks the same however the camera was held, and one from an iPhone shows too", async ({
  visit,
  person,
}) => {
  test.setTimeout(120_000);
  const ada = await person("Ada");
  const names = ORIENTATIONS.map((orientation) => `landscape-orientation-${orientation}.jpg`);
  const heic = hasRealPhoto("iphone.heic") ? ["iphone.heic"] : [];
  const memory = await memoryWith(ada, await photoPaths(...names, ...heic));
  const page = await visit({ as: ada, viewport: { width: 1280, height: 2400 } });
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);

  const { data } = await ada.client.from("media").select("id, file_name").eq("memory_id", memory.id);
  const pixels = async (fileName: string) => {
    const id = data?.find(({ file_name }) => file_name === fileName)?.id;
    const picture = page.locator(`[data-photo="${id}"] img`);
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
      .toBeGreaterThan(32);
    return picture.evaluate(drawnPixels);
  };
  await expect(tiles(page)).toHaveCount(names.length + heic.length);
  const first = await pixels(names[0] ?? "");
  expect(first.width).toBeGreaterThan(first.height);
  for (const name of names.slice(1)) {
    const other = await pixels(name);
    expect(difference(first.bytes, other.bytes), name).toBeLessThan(16);
  }
  for (const name of heic) expect(difference((await pixels(name)).bytes, first.bytes)).toBeGreaterThan(0);
});

/** What is drawn, at a size at which encoding does not matter and orientation does. */
function drawnPixels(img: HTMLImageElement) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [24, 16];
  const context = canvas.getContext("2d");
  context?.drawImage(img, 0, 0, 24, 16);
  return {
    width: img.naturalWidth,
    height: img.naturalHeight,
    bytes: [...(context?.getImageData(0, 0, 24, 16).data ?? [])],
  };
}

/** The mean difference of two pictures' bytes, 0 to 255. */
const difference = (one: number[], other: number[]) =>
  one.reduce((sum, byte, index) => sum + Math.abs(byte - (other[index] ?? 0)), 0) / one.length;
