import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { expectPhotos } from "../support/journey.ts";
import { privateMovie } from "../support/private-movie.ts";
import { shareFirstLink } from "../support/sharing.ts";
import { wordsIn } from "../support/texts.ts";

const say = wordsIn("en");

/** A second of a moving picture, as a page can record it. */
async function recorded(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 180 });
    const pen = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let frame = 0; frame < 40; frame++) {
      await new Promise(requestAnimationFrame);
      if (!pen) break;
      pen.fillStyle = `hsl(${frame * 6} 70% 60%)`;
      pen.fillRect(0, 0, 320, 180);
      pen.fillStyle = "white";
      pen.fillRect(frame * 6, 60, 60, 60);
    }
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  });
  return Buffer.from(base64, "base64");
}

test("a video is stored with a poster and plays in the page, for its owner and for who has the link", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // The player asks for what cannot be shared.
  expectedErrors.push(/status of 422/);
  const ada = await person("Ada");
  const { data: memory } = await ada.client
    .from("memories")
    .insert({ person_name: "Nonna Rosa" })
    .select("id,share_id")
    .single<{ id: string; share_id: string }>();
  await shareFirstLink(ada.client, memory?.id);
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory?.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const video = await recorded(page);
  const choose = page.locator("input[type=file]").first();
  await choose.setInputFiles({ name: "garden.webm", mimeType: "video/webm", buffer: video });
  await expectPhotos(page, 1);
  await plays(page);

  const strange = privateMovie({ brand: "qt  " });
  await choose.setInputFiles({ name: "strange.mov", mimeType: "video/quicktime", buffer: strange });
  await expect(page.locator('a[href*="photo="]')).toHaveCount(2, { timeout: 30_000 });
  await openNote(page);
  await expect(page.getByText(say("video:unplayableDownload"))).toBeVisible();

  const visitor = await visit();
  await visitor.goto(`/shared/${memory?.share_id}`);
  await expectFirstPoster(visitor);
  await plays(visitor);
  // A file that cannot be read far enough to take private details out of it is its managers' alone.
  await openNote(visitor, "video:withheld");
});

/** The tile of the one video that this browser can play. */
const playable = (page: Page) =>
  page
    .locator('a[href*="photo="]')
    .filter({ has: page.locator("img") })
    .first();

const expectFirstPoster = (page: Page) =>
  expect
    .poll(
      () =>
        playable(page)
          .locator("img")
          .evaluate((img: HTMLImageElement) => img.naturalWidth),
      { timeout: 30_000 },
    )
    .toBeGreaterThan(32);

/** Opens the video, plays it by the keyboard from bytes that come in ranges, and closes it again. */
async function plays(page: Page) {
  const ranged = page.waitForResponse(
    (response) => /\/(object|video)\/sign\/media\//.test(response.url()) && response.status() === 206,
  );
  await playable(page).click();
  const player = page.locator("video");
  await expect(player).toHaveAttribute("poster", /posters/);
  await ranged;
  await page.keyboard.press(" ");
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
  await page.keyboard.press("Escape");
  await expect(player).toHaveCount(0);
}

/** Opens the other video, which nobody can play, and waits for the note that says so. */
async function openNote(page: Page, note = "video:unplayable") {
  await page
    .locator('a[href*="photo="]')
    .filter({ hasNot: page.locator("img") })
    .first()
    .click();
  await expect(page.getByText(say(note))).toBeVisible({ timeout: 30_000 });
}
