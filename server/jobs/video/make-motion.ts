import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import type { Files } from "../../files/files.ts";
import type { BytesKey } from "../../files/object-store.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { copyVideoStreams } from "../../files/videos/video-thread.ts";
import type { StoredVideo } from "../../files/videos/videos.ts";
import { embeddedVideo } from "../embedded-video.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { writePlayable } from "./make-playable.ts";
import { planFor } from "./playback-plan.ts";
import { probe } from "./probe.ts";

/**
 * Makes the copy of a photo's video that plays when the photo is pressed: of `video`, where that came as a file of its own, else
 * of the one within the photo's file. Its streams without private data, or what ffmpeg makes of them where these do not play
 * everywhere. Rejects with `UnreadableVideoError` or `ProgramError` where neither can be made, and with `MissingBytesError`.
 */
export async function makeMotion(
  { files, ffmpeg }: { files: Files; ffmpeg: Ffmpeg | undefined },
  photo: BytesKey,
  video: StoredVideo | undefined,
  signal: AbortSignal,
): Promise<void> {
  const source = video ? await storedSource(files, video) : await embeddedSource(files, photo);
  const part = await files.videos.partPath(photo.version);
  try {
    const { size } = await stat(source.path);
    const streams = await copyVideoStreams({ path: source.path, size, copyTo: part }, false).catch((error: unknown) => {
      if (error instanceof UnreadableVideoError && ffmpeg) return undefined;
      throw error;
    });
    if (ffmpeg) {
      const facts = await probe(ffmpeg, source.path, source.type, signal);
      const hasAll = streams?.type === "video/mp4" && !streams.lacksSound;
      const plan = planFor("video/mp4", facts, hasAll);
      if (!plan) throw new UnreadableVideoError("it has no pictures");
      if (plan !== "unneeded") {
        await writePlayable(ffmpeg, { ...source, facts, plan, part }, { signal, onProgress: () => {} });
        return await files.videos.keepMotion(photo.version, part, "video/mp4");
      }
    }
    await files.videos.keepMotion(photo.version, part, streams?.type ?? "video/mp4");
  } finally {
    await rm(part, { force: true });
    await source.release();
  }
}

interface Source {
  path: string;
  type: string;
  release(): Promise<void>;
}

const storedSource = async (files: Files, video: StoredVideo): Promise<Source> => ({
  ...(await files.objects.local(video)),
  type: video.type,
});

/** The video within a photo's file, as a file of its own. */
async function embeddedSource(files: Files, photo: BytesKey): Promise<Source> {
  const original = await files.objects.local(photo);
  try {
    const { xmp } = await sharp(original.path, { failOn: "none" }).metadata();
    const found = await embeddedVideo(original.path, xmp?.toString("utf8") ?? "");
    if (!found) throw new UnreadableVideoError("the photo has no video");
    const folder = await mkdtemp(join(tmpdir(), "skies-motion-"));
    const release = () => rm(folder, { recursive: true, force: true });
    const path = join(folder, "video.mp4");
    const range = { start: found.start, end: found.start + found.length - 1 };
    await pipeline(createReadStream(original.path, range), createWriteStream(path)).catch(async (error: unknown) => {
      await release();
      throw error;
    });
    return { path, type: "video/mp4", release };
  } finally {
    await original.release();
  }
}
