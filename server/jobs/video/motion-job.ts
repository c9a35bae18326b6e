import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import type { Transaction } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { BytesKey } from "../../files/object-store.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { copyVideoStreams } from "../../files/videos/video-thread.ts";
import type { StoredVideo } from "../../files/videos/videos.ts";
import { embeddedVideo } from "../embedded-video.ts";
import { type QueueDeps, queueJob } from "../queue.ts";
import type { Job } from "../worker.ts";
import { type Ffmpeg, ProgramError } from "./ffmpeg.ts";
import { writePlayable } from "./make-playable.ts";
import { hasCutPictures, planFor } from "./playback-plan.ts";
import { probe } from "./probe.ts";

/**
 * Makes the playable copy of a photo's video: of `video` if it is a separate file, otherwise of the video in the
 * photo's file. Its streams are copied without private data; ffmpeg converts those that do not play everywhere. Rejects
 * with `UnreadableVideoError`, `ProgramError` or `MissingBytesError`.
 */
async function makeMotion(
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
      // Pictures that a person cut are encoded, because the packets of the source contain what was cut off.
      const plan = planFor("video/mp4", facts, hasAll && !hasCutPictures(facts));
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

/** Writes the video within a photo's file to a separate file. */
async function embeddedSource(files: Files, photo: BytesKey): Promise<Source> {
  const original = await files.objects.local(photo);
  try {
    const { xmp } = await sharp(original.path, { failOn: "none" }).metadata();
    const video = await embeddedVideo(original.path, xmp?.toString("utf8") ?? "");
    if (!video) throw new UnreadableVideoError("the photo has no video");
    const folder = await mkdtemp(join(tmpdir(), "skies-motion-"));
    const release = () => rm(folder, { recursive: true, force: true });
    const path = join(folder, "video.mp4");
    const range = { start: video.start, end: video.start + video.length - 1 };
    await pipeline(createReadStream(original.path, range), createWriteStream(path)).catch(async (error: unknown) => {
      await release();
      throw error;
    });
    return { path, type: "video/mp4", release };
  } finally {
    await original.release();
  }
}

interface MotionDeps extends QueueDeps {
  files: Files;
  /** Absent if ffmpeg is not installed: then videos are copied as recorded. */
  ffmpeg: Ffmpeg | undefined;
}

interface MotionSource {
  bucket: string;
  version: string;
  /** The version of a separate video; null for a video within the photo's file. */
  video_version: string | null;
  video_type: string;
  video_size: number;
}

/** Prepares the videos of photos, one at a time. An interrupted copy is made again. */
export const motionsJob = (deps: MotionDeps): Job =>
  queueJob<MotionSource>(deps, {
    kind: "motions",
    async load(id) {
      const { rows } = await deps.db.query<MotionSource>(
        `select o.bucket_id as bucket, o.version, v.version as video_version, v.metadata ->> 'mimetype' as video_type,
           (v.metadata ->> 'size')::bigint as video_size
         from storage.objects o left join media m on m.motion_of = o.id left join storage.objects v on v.id = m.id
         where o.id = $1 limit 1`,
        [id],
      );
      return rows[0];
    },
    async run({ bucket, version, video_version, video_type: type, video_size: size }, { subject, signal, end }) {
      const video = video_version ? { bucket, version: video_version, type, size: Number(size) } : undefined;
      await makeMotion(deps, { bucket, version }, video, signal);
      return end(store(subject, "ready"));
    },
    isFinal: (error) => error instanceof UnreadableVideoError || (error instanceof ProgramError && error.refused),
    giveUp: (_source, { subject }) => store(subject, "failed"),
  });

const store = (id: string, motion: "ready" | "failed") => (tx: Transaction) =>
  tx.query("update media set motion = $2 where id = $1", [id, motion]);
