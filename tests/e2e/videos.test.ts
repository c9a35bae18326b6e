import type { Page } from "@playwright/test";
import { withoutTables } from "../support/broken-videos.ts";
import { expect, test } from "../support/e2e.ts";
import { openEncoder, RECIPES } from "../support/encoded-videos.ts";
import { expectPhotos } from "../support/journey.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

/** Records one second of a moving picture in the page. */
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

test("a video has a poster and plays for its owner and for a visitor with the link; an unplayable one is shown to managers only", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const video = await recorded(page);
  const choose = page.locator("input[type=file]").first();
  await choose.setInputFiles({ name: "garden.webm", mimeType: "video/webm", buffer: video });
  await expectPhotos(page, 1);
  await plays(page);

  // Nothing of the file can be shown: it is kept as a quiet tile for its managers.
  await choose.setInputFiles({ name: "lost.mov", mimeType: "video/quicktime", buffer: await lostRecording() });
  await expect(broken(page)).toContainText("lost.mov", { timeout: 180_000 });
  await broken(page).click();
  await expect(page.getByText(say("gallery:broken.videoTitle"))).toBeVisible();
  await expect(page.getByRole("dialog").getByText(say("gallery:broken.kept"))).toBeVisible();

  const visitor = await visit();
  await visitor.goto(`/shared/${memory.share_id}`);
  await expectFirstPoster(visitor);
  await plays(visitor);
  await expect(visitor.locator('a[href*="photo="]')).toHaveCount(1);
});

test("a visitor's page requests no video while its copy is being made or after the copy has failed", {
  tag: "@sample",
}, async ({ visit, person, server }) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const owner = await visit({ as: ada });
  await owner.goto(`/memory/${memory.id}`);
  const video = await recorded(owner);
  const files = owner.locator("input[type=file]").first();
  await files.setInputFiles({ name: "garden.webm", mimeType: "video/webm", buffer: video });
  await expectPhotos(owner, 1);
  const settled = async () =>
    (await ada.client.from("media").select("visitor_copy,playback").eq("memory_id", memory.id)).data;
  await expect.poll(settled, { timeout: 180_000 }).toEqual([{ visitor_copy: "ready", playback: "ready" }]);

  // The states while the copy is being made, and when no program can make one.
  const service = server.client(server.keys.secret).from("media");
  // Another process has the work, so that this one does not end it at once.
  await server.change((db) =>
    db.transaction(async (tx) => {
      await tx.query("update media set visitor_copy = 'waiting' where memory_id = $1", [memory.id]);
      await tx.query("update private.work set claim = gen_random_uuid(), due_at = now() + interval '1 hour'");
    }),
  );
  const visitor = await visit({ viewport: { width: 360, height: 740 } });
  const requests: string[] = [];
  visitor.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await visitor.goto(`/shared/${memory.share_id}`);
  await expectFirstPoster(visitor);
  await playable(visitor).click();
  await expect(visitor.getByText(say("video:preparing"))).toBeVisible();
  await service.update({ visitor_copy: "failed" }).eq("memory_id", memory.id).throwOnError();
  await expect(visitor.getByText(say("video:withheld"))).toBeVisible();
  expect(requests.filter((path) => /\/(object|render\/video)\/sign\/media\//.test(path))).toEqual([]);
  await service.update({ visitor_copy: "ready" }).eq("memory_id", memory.id).throwOnError();
  await expect(visitor.locator("video")).toBeVisible();
});

async function lostRecording(): Promise<Buffer> {
  const encoder = await openEncoder();
  const recipe = RECIPES.find(({ name }) => name === "mov of h264 with aac");
  if (!recipe) throw new Error("There is no such recipe");
  return withoutTables(await encoder.encode(recipe).finally(encoder.close));
}

/** The tile of a file that cannot be shown. */
const broken = (page: Page) =>
  page
    .locator('a[href*="photo="]')
    .filter({ hasNot: page.locator("img") })
    .first();

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
      { timeout: 180_000 },
    )
    .toBeGreaterThan(32);

/** Opens the video, which plays from ranges of bytes, pauses it by keyboard, and closes it again. */
async function plays(page: Page) {
  const ranged = page.waitForResponse(
    (response) => /\/(object|video)\/sign\/media\//.test(response.url()) && response.status() === 206,
  );
  await playable(page).click();
  const player = page.locator("video");
  await expect(player).toHaveAttribute("poster", /posters/);
  await ranged;
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
  // So that it does not end before the key.
  await player.evaluate((video: HTMLVideoElement) => {
    video.loop = true;
    return video.play();
  });
  const isPaused = () => player.evaluate((video: HTMLVideoElement) => video.paused);
  for (const paused of [true, false]) {
    await page.keyboard.press(" ");
    await expect.poll(isPaused).toBe(paused);
  }
  await page.keyboard.press("Escape");
  await expect(player).toHaveCount(0);
}
