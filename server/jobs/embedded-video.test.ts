import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEncoder } from "../../tests/support/encoded-videos.ts";
import {
  androidVideo,
  FURTHER_MOTION_PHOTOS,
  liveVideo,
  MOTION_PHOTOS,
  phonePhoto,
  ultraHdr,
} from "../../tests/support/live-photos.ts";
import { embeddedVideo } from "./embedded-video.ts";

const encoder = await openEncoder();
const folder = await mkdtemp(join(tmpdir(), "skies-motion-photos-"));
afterAll(async () => {
  await rm(folder, { recursive: true });
  await encoder.close();
});

async function videoIn(photo: Buffer): Promise<Buffer | null> {
  const path = join(folder, "photo");
  await writeFile(path, photo);
  const { xmp } = await sharp(path, { failOn: "none" }).metadata();
  const place = await embeddedVideo(path, xmp?.toString("utf8") ?? "");
  return place && photo.subarray(place.start, place.start + place.length);
}

describe("the video in a motion photo is found whole", () => {
  const videos: Record<string, Buffer> = {};
  beforeAll(async () => {
    videos.mp4 = await androidVideo(encoder);
    videos.mov = await liveVideo(encoder);
  });

  test.each(Object.entries({ ...MOTION_PHOTOS, ...FURTHER_MOTION_PHOTOS }))("%s", async (_name, make) => {
    for (const [kind, video] of Object.entries(videos)) {
      const content = await videoIn(await make(video));
      expect([kind, content?.equals(video)]).toEqual([kind, true]);
    }
  });
});

test("a photo without a video has none, whatever its bytes look like", async () => {
  const video = await androidVideo(encoder);
  const fake = Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isommp42", "latin1");
  const still = await MOTION_PHOTOS["a micro video"]?.(video);
  const photo = await phonePhoto();
  const photos: Record<string, Buffer> = {
    "an ordinary photo": photo,
    "an Ultra HDR photo": await ultraHdr(),
    "a first box without a video": Buffer.concat([photo, fake, photo]),
    "many first boxes": Buffer.concat([photo, ...Array.from({ length: 20_000 }, () => fake)]),
    "a video that was cut off": Buffer.concat([photo, video.subarray(0, 40)]),
    "motion that a person switched off": Buffer.from(
      still?.toString("latin1").replace('MicroVideo="1"', 'MotionPhoto="0"') ?? "",
      "latin1",
    ),
  };
  for (const [name, photo] of Object.entries(photos)) expect([name, await videoIn(photo)]).toEqual([name, null]);
});
