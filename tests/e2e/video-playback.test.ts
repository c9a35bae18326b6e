import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { type Encoder, openEncoder, RECIPES, type VideoRecipe } from "../support/encoded-videos.ts";
import { sampled } from "../support/long-tests.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { uploadResumably } from "../support/uploads.ts";

let encoder: Encoder;
test.beforeAll(async () => {
  encoder = await openEncoder();
});
test.afterAll(() => encoder.close());

const playable = RECIPES.filter(({ plays, needsFfmpeg }) => plays && !needsFfmpeg);
const chosen = sampled(playable, 5);
/** The number of videos in one test: enough to share its page, few enough to end in time. */
const TOGETHER = 8;
const groups = Array.from({ length: Math.ceil(chosen.length / TOGETHER) }, (_, index) =>
  chosen.slice(index * TOGETHER, (index + 1) * TOGETHER),
);

for (const [index, recipes] of groups.entries()) {
  test(`a visitor's browser plays every video to its end and from its middle, with sound (${index + 1})`, async ({
    visit,
    person,
    server,
  }) => {
    const ada = await person("Ada");
    const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
    await shareFirstLink(ada.client, memory.id);
    const { data: session } = await ada.client.auth.getSession();
    const stored: [VideoRecipe, string][] = [];
    for (const recipe of recipes) {
      const name = `${memory.id}/${crypto.randomUUID()}.${recipe.extension}`;
      const bytes = await encoder.encode(recipe);
      await uploadResumably({ url: server.url, token: session.session?.access_token ?? "", name, bytes });
      stored.push([recipe, name]);
    }

    const visitor = await visit();
    const opened = visitor.waitForResponse((response) => response.url().includes("/open-share") && response.ok());
    await visitor.goto(`/shared/${memory.share_id}`);
    const { token } = (await (await opened).json()) as { token: string };
    for (const [recipe, name] of stored) {
      const signed = await fetch(`${server.url}/storage/v1/object/sign/media/${name}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ expiresIn: 600 }),
      });
      const { signedURL } = (await signed.json()) as { signedURL: string };
      await test.step(recipe.name, () => expectPlays(visitor, `${server.url}/storage/v1${signedURL}`, recipe));
    }
  });
}

/** Plays a video in the page from its beginning to its end, then from its middle, and counts what was decoded. */
async function expectPlays(page: Page, address: string, { name, sounds }: VideoRecipe) {
  const played = await page.evaluate(async (src) => {
    const player = Object.assign(document.createElement("video"), { src, muted: true, preload: "auto" });
    player.style.cssText = "position:fixed;inset:0;width:192px;z-index:9999";
    document.body.append(player);
    const failed = () => `error ${player.error?.code}: ${player.error?.message}`;
    const heard = (event: string) =>
      new Promise<void>((resolve, reject) => {
        player.addEventListener(event, () => resolve(), { once: true });
        player.addEventListener("error", () => reject(new Error(failed())), { once: true });
      });
    const frames = () => player.getVideoPlaybackQuality().totalVideoFrames;
    const soundBytes = () => Reflect.get(player, "webkitAudioDecodedByteCount") as number;
    try {
      await heard("loadeddata");
      const ended = heard("ended");
      await player.play();
      await ended;
      const whole = { frames: frames(), sound: soundBytes(), end: player.currentTime, duration: player.duration };
      const sought = heard("seeked");
      player.currentTime = player.duration / 2;
      await sought;
      const half = player.currentTime;
      const endedAgain = heard("ended");
      await player.play();
      await endedAgain;
      return { whole, half, again: { frames: frames(), sound: soundBytes() } };
    } catch (error) {
      return { failed: String(error) };
    } finally {
      player.remove();
    }
  }, address);
  if (played.failed !== undefined || !played.whole) throw new Error(`${name}: ${played.failed}`);
  const { whole, half, again } = played;
  expect(whole.duration, name).toBeGreaterThan(1.5);
  expect(whole.end, name).toBeGreaterThan(whole.duration - 0.2);
  expect(whole.frames, name).toBeGreaterThan(20);
  expect(half, name).toBeCloseTo(whole.duration / 2, 1);
  expect(again.frames, name).toBeGreaterThan(whole.frames);
  if (sounds > 0) {
    expect(whole.sound, name).toBeGreaterThan(0);
    expect(again.sound, name).toBeGreaterThan(whole.sound);
  }
}
