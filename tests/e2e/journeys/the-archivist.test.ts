// Smaller than a real archive: 64 memories instead of 510, 240 photos instead of 30,000, an album of some megabytes
// instead of 4 GB. Not built yet: the size of the whole archive in one list, and adding several memories of the home
// page to an album at once.
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { dateField, fillDate } from "../../support/date-field.ts";
import { expect, test } from "../../support/e2e.ts";
import { filmOf } from "../../support/films.ts";
import { memoryWith, tiles, toGallery } from "../../support/gallery.ts";
import { manyMemories } from "../../support/many-memories.ts";
import { multiplyPhotos } from "../../support/many-photos.ts";
import { photoPaths } from "../../support/photos.ts";
import { fetchInParts } from "../../support/slow-download.ts";
import { textsIn } from "../../support/texts.ts";
import { unzip } from "../../support/zip.ts";

const say = textsIn("en");
const [MEMORIES, ALBUMS, PHOTOS] = [63, 6, 240];

const expectCount = (page: Page, count: number) =>
  expect(page.getByRole("heading", { name: say("media:photos") })).toContainText(String(count), { timeout: 180_000 });

test("an archivist finds, dates, moves, deletes and restores photos among hundreds, and downloads an album over an interrupted connection", {
  tag: "@long",
}, async ({ visit, person, server, expectedErrors }) => {
  // A picture may still be requested while it is moved or deleted.
  expectedErrors.push(/render\/image.*status of 40[04]/);
  const ada = await person("Ada", { plan: "skies-memories" });
  const names = await manyMemories(ada, MEMORIES);
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  await server.change((db, dataDir) => multiplyPhotos(db, dataDir, rosa.id, PHOTOS));
  const { data: memories } = await ada.client.from("memories").select("id, person_name").neq("id", rosa.id);
  const { data: albums } = await ada.client
    .from("albums")
    .insert(Array.from({ length: ALBUMS }, (_, index) => ({ name: `Box ${index + 1}` })))
    .select("id, name")
    .throwOnError();
  const box = albums?.find(({ name }) => name === "Box 1");
  const put = (memories ?? []).slice(0, 8).map(({ id }) => id);
  await ada.client.rpc("put_in_album", { album_id: box?.id, ids: [rosa.id, ...put] }).throwOnError();

  // Found among all by a word of its name, in a list that states their number.
  const page = await visit({ as: ada, viewport: { width: 1280, height: 800 } });
  await page.goto("/");
  await expect(page.locator("[aria-setsize]").first()).toHaveAttribute("aria-setsize", String(MEMORIES + 1));
  await page.getByRole("textbox", { name: say("memories:list.find") }).fill("bellini");
  // Until the others are gone, the list still moves under the pointer.
  await expect(page.locator("[aria-posinset] h2 a")).toHaveText(["Rosa Bellini"]);
  await page.getByRole("link", { name: "Rosa Bellini", exact: true }).click();
  await expectCount(page, PHOTOS);

  // A scanner's TIFF and a camcorder's AVI are accepted unchanged.
  const paper = { width: 900, height: 600, channels: 3 as const, background: "#b8a07a" };
  const scan = await sharp({ create: paper }).tiff().toBuffer();
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([
      { name: "scan.tif", mimeType: "image/tiff", buffer: scan },
      { name: "camcorder.avi", mimeType: "video/x-msvideo", buffer: await filmOf("avi") },
    ]);
  await expectCount(page, PHOTOS + 2);

  // All photos get one decade, and then their own dates again.
  await toGallery(page);
  const titles = () => page.locator("[data-gallery] h3").allTextContents();
  await expect(page.locator("[data-gallery] h3").first()).toBeVisible();
  // The other groups depend on the window and on the part of the list that has been rendered.
  const [firstTitle] = await titles();
  const bar = page.getByRole("toolbar", { name: say("gallery:select.bar") });
  const select = async (how: () => Promise<void>) => {
    await page.getByRole("button", { name: say("gallery:select.start"), exact: true }).click();
    await how();
  };
  const selectAll = () => bar.getByRole("button", { name: say("gallery:select.all") }).click();
  await select(selectAll);
  await bar.getByRole("button", { name: say("gallery:date.set") }).click();
  const dating = page.getByRole("dialog");
  await fillDate(dateField(dating, say("gallery:date.label")), say, { month: "decade", year: "1964" });
  await dating.getByRole("button", { name: say("gallery:date.save") }).click();
  await expect.poll(titles).toEqual(["The 1960s"]);
  await page.getByRole("button", { name: say("gallery:date.undo"), exact: true }).click();
  await expect.poll(async () => (await titles())[0]).toBe(firstTitle);

  // Two photos move to another memory; one is deleted and restored.
  const chooseTwo = async () => {
    for (const at of [0, 1]) await tiles(page).nth(at).locator("a").click();
  };
  await select(chooseTwo);
  await bar.getByRole("button", { name: say("gallery:select.move") }).click();
  const target = names[0] ?? "";
  await page.getByRole("dialog").getByRole("textbox").fill(target);
  await page.getByRole("dialog").getByRole("button", { name: target }).click();
  await expect(page.getByText(say("gallery:move.done", { count: 2, name: target }), { exact: true })).toBeVisible();
  await expectCount(page, PHOTOS);
  await tiles(page).first().locator("a").click();
  await bar.getByRole("button", { name: say("gallery:select.delete") }).click();
  await expectCount(page, PHOTOS - 1);
  await page.getByRole("button", { name: say("media:delete.undo"), exact: true }).click();
  await expectCount(page, PHOTOS);

  // The album as one file. The download is interrupted twice, and continues at the byte where it stopped.
  await page.goto("/groups");
  await expect(page.getByRole("link", { name: /^Box \d$/ })).toHaveCount(ALBUMS);
  await page.getByRole("link", { name: "Box 1" }).click();
  await page.getByRole("button", { name: say("albums:more"), exact: true }).click();
  await page.getByRole("menuitem", { name: say("downloads:download") }).click();
  const saving = page.getByRole("dialog").getByRole("link", { name: say("downloads:download") });
  await expect(saving).toBeVisible({ timeout: 180_000 });
  const files = await unzip(await fetchInParts(new URL((await saving.getAttribute("href")) ?? "", server.url), 3));
  expect(files.filter(({ path }) => /\.(jpe?g|tiff?|avi)$/i.test(path)).length).toBeGreaterThanOrEqual(PHOTOS);
  // An independent ZIP reader has confirmed the checksum of each file.
  expect(files.some(({ path }) => path.endsWith("checksums.sha256"))).toBe(true);
});
