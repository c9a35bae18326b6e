import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { UnreadableVideoError } from "../../server/files/videos/video-error.ts";
import { copyVideoStreams, readVideoFacts } from "../../server/files/videos/video-thread.ts";
import { broken, seeded, tablePositions } from "../support/broken-videos.ts";
import { openEncoder, PLANTED, RECIPES } from "../support/encoded-videos.ts";

const CONTAINERS = [
  "mp4 of h264 with aac",
  "mov of h264 with pcm",
  "fragmented mp4 of h264 with aac",
  "webm of vp9 with opus",
  "mkv of h264 with aac",
  "mp4 with subtitles",
];
/** The number of mutations of each container. */
const MUTATIONS = process.env.LONG_TESTS === "1" ? 20_000 : 50;

/** The most milliseconds for one video. On an idle machine it takes a second; one that hangs takes half a minute. */
const MOST_MS = 10_000;

const encoder = await openEncoder();
const folder = await mkdtemp(join(tmpdir(), "skies-fuzz-"));
afterAll(async () => {
  await encoder.close();
  await rm(folder, { recursive: true, force: true });
});

const encode = (name: string): Promise<Buffer> => {
  const recipe = RECIPES.find((candidate) => candidate.name === name);
  if (!recipe) throw new Error(`There is no recipe ${name}`);
  return encoder.encode(recipe);
};

/**
 * Tries to copy these bytes from `broken` to `copy`. Resolves to the reason of a refusal; undefined if there is a copy.
 */
async function refusal(bytes: Buffer): Promise<string | undefined> {
  await writeFile(join(folder, "broken"), bytes);
  await rm(join(folder, "copy"), { force: true });
  return copyVideoStreams(
    { path: join(folder, "broken"), size: bytes.length, copyTo: join(folder, "copy") },
    true,
  ).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof UnreadableVideoError) return error.message;
      throw error;
    },
  );
}

test.each<[string, string, (bytes: Buffer) => void, string]>([
  [
    "a sound without sizes",
    "mov of h264 with pcm",
    (bytes) => bytes.write("free", bytes.lastIndexOf("stsz"), "latin1"),
    "lacks a table",
  ],
  [
    "a sound that reaches into the pictures",
    "mov of h264 with pcm",
    (bytes) => bytes.writeUInt16BE(8, bytes.lastIndexOf("sowt") + 20),
    "same bytes twice",
  ],
  [
    "pictures that are declared as sound",
    "mkv of h264 with aac",
    (bytes) => bytes.writeUInt8(1, bytes.indexOf(Buffer.from([0xd7, 0x81, 2])) + 2),
    "holds pictures",
  ],
  [
    "millions of times for fifty pictures",
    "mp4 with subtitles",
    (bytes) => bytes.writeUInt32BE(2_000_000, bytes.indexOf("stts") + 12),
    "more times than samples",
  ],
])("a video is refused whose tables claim %s", async (_what, name, change, reason) => {
  const bytes = Buffer.from(await encode(name));
  expect(await refusal(bytes)).toBeUndefined();
  change(bytes);
  expect(await refusal(bytes)).toContain(reason);
});

test.each(CONTAINERS)(
  "a video with broken tables takes limited time and memory, and its copy has no private data: %s",
  async (name) => {
    const whole = await encode(name);
    const positions = tablePositions(whole);
    const random = seeded(whole.length);
    // Starts the worker thread, which is not part of a video's cost.
    expect(await refusal(whole)).toBeUndefined();
    const before = process.memoryUsage.rss();

    for (let mutation = 0; mutation < MUTATIONS; mutation++) {
      const bytes = broken(whole, positions, random);
      const began = performance.now();
      const isRefused = (await refusal(bytes)) !== undefined;
      await readVideoFacts(join(folder, "broken"), "video/mp4").catch((error: unknown) =>
        expect(error).toBeInstanceOf(UnreadableVideoError),
      );
      expect(performance.now() - began, `milliseconds of mutation ${mutation}`).toBeLessThan(MOST_MS);
      if (isRefused) continue;
      const made = await readFile(join(folder, "copy"));
      expect(PLANTED.filter((word) => made.includes(word)).map(String), `mutation ${mutation}`).toEqual([]);
    }
    expect(process.memoryUsage.rss() - before, "bytes of memory").toBeLessThan(200 * 1024 * 1024);
  },
  1_800_000,
);
