import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { openSoundEncoder, SOUNDS } from "../support/encoded-sounds.ts";
import { photoPaths } from "../support/photos.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
let encoder: Awaited<ReturnType<typeof openSoundEncoder>>;
test.beforeAll(async () => {
  encoder = await openSoundEncoder();
});
test.afterAll(() => encoder.close());

const encoded = async (name: string) => {
  const recipe = SOUNDS.find((sound) => sound.name === name);
  if (!recipe) throw new Error("There is no such recipe");
  return { name, mimeType: "application/octet-stream", buffer: await encoder.encode(recipe) };
};

/** Waits for so many items in the gallery and scrolls to them, because only those near the window are rendered. */
async function expectTiles(page: Page, count: number) {
  const first = page.locator(`li[data-photo][aria-posinset="1"][aria-setsize="${count}"]`);
  await expect(first).toBeAttached({ timeout: 180_000 });
  await first.scrollIntoViewIfNeeded();
}

/** The open recording's player has played to its end. */
async function expectPlays(page: Page) {
  const player = page.getByRole("dialog").locator("audio");
  await expect(player).toBeVisible();
  await player.evaluate((element: HTMLAudioElement) => {
    element.muted = true;
    element.playbackRate = 4;
    return element.play();
  });
  await expect
    .poll(() => player.evaluate((element: HTMLAudioElement) => element.ended && element.currentTime > 2.5), {
      timeout: 60_000,
    })
    .toBe(true);
}

test("a recording is placed in a story as a photo is, heard from there, and gone once it is hidden", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const { buffer, name } = await encoded("New Recording 12.m4a");
  const stored = `${memory.id}/${randomUUID()}.m4a`;
  const { error } = await ada.client.storage.from("media").upload(stored, buffer, { metadata: { filename: name } });
  if (error) throw error;
  const settled = async () =>
    (await ada.client.from("media").select("id").eq("visitor_copy", "ready")).data?.map(({ id }) => id);
  await expect.poll(settled, { timeout: 180_000 }).toHaveLength(1);

  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  await page.getByRole("button", { name: say("stories:read.first") }).click();
  await page.locator(".ProseMirror").click();
  await page.keyboard.type("She sang all day.");
  await page.getByRole("button", { name: say("stories:editor.photo") }).click();
  const window = page.getByRole("dialog", { name: say("stories:choose.titleWithSounds") });
  const choice = new RegExp(`^${say("stories:choose.take", { photo: "" }).trim()}`);
  await expect(window.getByRole("button", { name: choice })).toBeVisible();
  await expectAccessible(page);
  await window.getByRole("button", { name: choice }).click();
  await page.locator(".ProseMirror figcaption").click();
  await page.keyboard.type("In the kitchen");
  await page.getByRole("button", { name: say("stories:write.save"), exact: true }).click();
  await expect(page.getByText(say("stories:write.saved"), { exact: true })).toBeVisible();
  await expectAccessible(page);

  const visitor = await visit(PHONE);
  await visitor.goto(`/shared/${memory.share_id}`);
  const figure = visitor.getByRole("link", { name: say("stories:read.openPhoto", { photo: "In the kitchen" }) });
  await figure.click();
  await expectPlays(visitor);

  const items = (await settled())?.map((id) => ({ kind: "media", id }));
  await ada.client.rpc("moderate", { items, decision: "hidden" }).throwOnError();
  await visitor.goto(`/shared/${memory.share_id}`);
  await expect(visitor.getByText("She sang all day.")).toBeVisible();
  await expect(figure).toHaveCount(0);
  await expect(visitor.getByText("In the kitchen")).toHaveCount(0);
});

test("a recording is added, seen as a wave, heard and read by its family and by a visitor", { tag: "@long" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  const files = page.locator("input[type=file]").first();
  await files.setInputFiles([await encoded("PTT-20231230-WA0001.opus"), await encoded("DS_30001.mp3")]);
  await expectTiles(page, 2);
  const settled = async () =>
    (await ada.client.from("media").select("type,playback,visitor_copy").eq("memory_id", memory.id)).data;
  const ready = { type: "audio", playback: "ready", visitor_copy: "ready" };
  await expect.poll(settled, { timeout: 180_000 }).toEqual([ready, ready]);
  await files.setInputFiles(await photoPaths("kodak-1998.jpg"));
  await expectTiles(page, 3);

  // Filters show recordings alone.
  const order = page.getByRole("button", { name: say("gallery:order.open") });
  await order.click();
  await page.getByRole("menuitemradio", { name: say("gallery:filter.recordings"), exact: true }).click();
  await expectTiles(page, 2);
  await page.getByRole("button", { name: say("gallery:filter.end") }).click();

  const tile = page.locator('a[href*="photo="]', { hasText: "DS_30001.mp3" });
  await expect(tile.locator("svg").last()).toBeVisible();
  await tile.click();
  await expectPlays(page);
  await page.getByRole("button", { name: say("gallery:details.show") }).click();
  await page.getByLabel(say("gallery:details.caption"), { exact: true }).fill("The song of the harvest");
  await page.getByLabel(say("gallery:details.words"), { exact: true }).fill("Once upon a time there was a well.");
  await page.getByLabel(say("gallery:details.words"), { exact: true }).blur();
  await expect(page.getByText(say("gallery:details.saved"), { exact: true })).toBeVisible();
  // "Saved" may still stand there for the caption.
  const altText = () => ada.client.from("media").select("alt_text").eq("file_name", "DS_30001.mp3").single();
  await expect.poll(async () => (await altText()).data?.alt_text).toBe("Once upon a time there was a well.");

  const visitor = await visit({ viewport: { width: 360, height: 740 } });
  await visitor.goto(`/shared/${memory.share_id}`);
  await expectTiles(visitor, 3);
  await visitor.locator('a[href*="photo="]', { hasText: "The song of the harvest" }).click();
  await expect(visitor.getByText("Once upon a time there was a well.")).toBeVisible();
  await expectPlays(visitor);
});
