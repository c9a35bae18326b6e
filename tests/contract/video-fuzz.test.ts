import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UnreadableVideoError } from "../../server/supabase/storage/video/video-error.ts";
import { copyVideoStreams, readVideoFacts } from "../../server/supabase/storage/video-thread.ts";
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
/** Of each container. */
const MUTATIONS = process.env.LONG_TESTS === "1" ? 20_000 : 50;

/** What one video may cost. */
const MOST_MS = 1000;

const encoder = await openEncoder();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-fuzz-"));
});
afterAll(async () => {
  await encoder.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(CONTAINERS)(
  "a video with broken tables costs a second and little memory at most, and tells nothing private: %s",
  async (name) => {
    const recipe = RECIPES.find((known) => known.name === name);
    if (!recipe) throw new Error(`There is no recipe ${name}`);
    const whole = await encoder.encode(recipe);
    const positions = tablePositions(whole);
    const random = seeded(whole.length);
    const [path, copyTo] = [join(folder, "broken"), join(folder, "copy")];
    const copy = async (bytes: Buffer) => {
      await writeFile(path, bytes);
      await rm(copyTo, { force: true });
      return copyVideoStreams({ path, size: bytes.length, copyTo }, true).then(
        () => true,
        (error: unknown) => {
          if (error instanceof UnreadableVideoError) return false;
          throw error;
        },
      );
    };
    // Starts the thread, which is no part of what a video costs.
    expect(await copy(whole)).toBe(true);
    const before = process.memoryUsage.rss();

    for (let mutation = 0; mutation < MUTATIONS; mutation++) {
      const bytes = broken(whole, positions, random);
      let isCopied = false;
      let least = Number.POSITIVE_INFINITY;
      // What other programs make it wait for is no cost of its own: a video that hangs does so every time.
      for (let attempt = 0; attempt < 3 && least >= MOST_MS; attempt++) {
        const began = performance.now();
        isCopied = await copy(bytes);
        await readVideoFacts(path, "video/mp4").catch((error: unknown) =>
          expect(error).toBeInstanceOf(UnreadableVideoError),
        );
        least = Math.min(least, performance.now() - began);
      }
      expect(least, `milliseconds of mutation ${mutation}`).toBeLessThan(MOST_MS);
      if (!isCopied) continue;
      const made = await readFile(copyTo);
      expect(PLANTED.filter((word) => made.includes(word)).map(String), `mutation ${mutation}`).toEqual([]);
    }
    expect(process.memoryUsage.rss() - before, "bytes of memory").toBeLessThan(200 * 1024 * 1024);
  },
  1_800_000,
);
