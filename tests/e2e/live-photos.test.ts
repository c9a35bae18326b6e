import { expect, test } from "../support/e2e.ts";
import { type Encoder, openEncoder } from "../support/encoded-videos.ts";
import { expectPhotos } from "../support/journey.ts";
import { androidVideo, liveVideo, MOTION_PHOTOS, phonePhoto } from "../support/live-photos.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const PHONE = { width: 360, height: 740 };
let encoder: Encoder;
test.beforeAll(async () => {
  encoder = await openEncoder();
});
test.afterAll(() => encoder.close());

test("a Live Photo of two files or one becomes one item, and plays when a visitor presses its button", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const page = await visit({ as: ada, viewport: PHONE });
  await page.goto(`/memory/${memory.id}`);
  const files = page.locator("input[type=file]").first();
  // The video comes first, and is soon no item by itself; another photo contains its video in its own file.
  const video = await liveVideo(encoder);
  const photo = await phonePhoto({ taken: "2019:05:04 14:33:12" });
  const moving = await MOTION_PHOTOS["a micro video"]?.(await androidVideo(encoder));
  await files.setInputFiles([
    { name: "IMG_1234.MOV", mimeType: "video/quicktime", buffer: video },
    { name: "IMG_1234.JPG", mimeType: "image/jpeg", buffer: photo },
    { name: "MVIMG_20190505_101112.jpg", mimeType: "image/jpeg", buffer: moving ?? Buffer.alloc(0) },
  ]);
  const items = async () =>
    (await ada.client.from("media").select("type,motion").match({ memory_id: memory.id, moderation: "shown" })).data;
  await expect.poll(items, { timeout: 180_000 }).toEqual([
    { type: "image", motion: "ready" },
    { type: "image", motion: "ready" },
  ]);
  // Without a reload, whichever of them is rendered.
  await expectPhotos(page, 2);
  await expect(page.locator('li[data-photo] a[aria-label$=", Live"]')).toHaveCount(2);
  // No file of the batch remains in the tray.
  await expect(page.getByText("IMG_1234.MOV")).toHaveCount(0);

  const visitor = await visit({ viewport: PHONE });
  // Its two seconds may be over before a busy machine looks, so the page records what played while the button was
  // pressed.
  await visitor.addInitScript((label) => {
    Object.assign(window, { played: 0 });
    const note = ({ target }: Event) => {
      const isPressed = document.querySelector(`[aria-label="${label}"][aria-pressed=true]`) !== null;
      if (isPressed) Object.assign(window, { played: (target as HTMLVideoElement).currentTime });
    };
    addEventListener("timeupdate", note, true);
  }, say("gallery:live.play"));
  await visitor.goto(`/shared/${memory.share_id}`);
  const tiles = visitor.locator("li[data-photo]");
  await expectPhotos(visitor, 2);
  await tiles.first().locator("a").click();
  const box = visitor.getByRole("dialog");
  await expect(box).toHaveAccessibleName(say("media:lightbox.title", { number: 1, count: 2 }));
  for (const next of [true, false]) {
    const press = box.getByRole("button", { name: say("gallery:live.play") });
    await press.click();
    await expect
      .poll(() => visitor.evaluate(() => (window as unknown as { played: number }).played))
      .toBeGreaterThan(0.2);
    // After its end, the photo is shown again.
    await expect(box.locator("video")).toHaveCount(0);
    await expect(press).toHaveAttribute("aria-pressed", "false");
    await visitor.evaluate(() => Object.assign(window, { played: 0 }));
    if (next) await visitor.keyboard.press("ArrowRight");
  }
  // By keyboard too; a second press ends it.
  await visitor.keyboard.press("k");
  await expect(box.locator("video")).toBeVisible();
  await visitor.keyboard.press("k");
  await expect(box.locator("video")).toHaveCount(0);

  // Photo and video are deleted and restored together.
  await tilesOf(page).first().locator("a").click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("gallery:details.more") })
    .click();
  await page.getByRole("menuitem", { name: say("media:lightbox.delete") }).click();
  await expect(tilesOf(page)).toHaveCount(1);
  await page.getByRole("button", { name: say("media:delete.undo") }).click();
  await expect(tilesOf(page)).toHaveCount(2);
  await page.goto("/");
  await expect(page.getByText(say("memories:list.photos", { count: 2 }), { exact: true })).toBeVisible();
});

const tilesOf = (page: import("@playwright/test").Page) => page.locator("li[data-photo]");
