import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { type BytesKey, MissingBytesError } from "../../files/object-store.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { copyVideoStreams } from "../../files/videos/video-thread.ts";
import type { StoredVideo } from "../../files/videos/videos.ts";
import { CLAIM_SECONDS, RECHECK_MS, releaseMedia, renewingMedia } from "../claims.ts";
import { embeddedVideo } from "../embedded-video.ts";
import { CRASHED, countFailure } from "../file-failures.ts";
import { waitUntilIdle } from "../wait-until-idle.ts";
import { type Job, workOff } from "../worker.ts";
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

/** A video that crashed its process or ffmpeg this often is not tried again. */
const MAX_ATTEMPTS = 3;

interface MotionDeps {
  db: Database;
  files: Files;
  /** Absent if ffmpeg is not installed: then videos are copied as recorded. */
  ffmpeg: Ffmpeg | undefined;
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

interface Claim {
  media_id: string;
  attempts: number;
  bucket_id: string;
  version: string;
  /** The version of a separate video; null for a video within the photo's file. */
  video_version: string | null;
  video_type: string;
  video_size: number;
}

/** Prepares the videos of photos, one at a time. An interrupted copy is made again. */
export const motionsJob = (deps: MotionDeps): Job => ({
  name: "motions",
  channel: "motion_waiting",
  interval: RECHECK_MS,
  async run(stop) {
    const claim = async () => {
      await waitUntilIdle(deps.files.activeUploads);
      return stop.requested.aborted ? undefined : claimNext(deps.db);
    };
    await workOff(stop, claim, (claimed) =>
      renewingMedia(deps.db, "motion_claims", claimed, ({ lost }) =>
        finish(deps, claimed, { requested: stop.requested, lost }),
      ),
    );
    return undefined;
  },
});

/** Claims the photo that has waited longest, for one process only. */
async function claimNext(db: Database): Promise<Claim | undefined> {
  const { rows } = await db.query<Claim>(
    `with longest as (
       select c.media_id, o.bucket_id, o.version, v.version as video_version, v.metadata ->> 'mimetype' as video_type,
         (v.metadata ->> 'size')::bigint as video_size
       from private.motion_claims c join storage.objects o on o.id = c.media_id
       left join media m on m.motion_of = c.media_id left join storage.objects v on v.id = m.id
       where c.until < now() order by o.created_at limit 1 for update of c skip locked
     ), claimed as (
       update private.motion_claims c set until = now() + make_interval(secs => $1), attempts = attempts + 1
       from longest where c.media_id = longest.media_id returning c.attempts
     ) select longest.*, claimed.attempts from longest, claimed`,
    [CLAIM_SECONDS],
  );
  return rows[0];
}

async function finish(
  { db, files, ffmpeg, log }: MotionDeps,
  claim: Claim,
  { requested, lost }: { requested: AbortSignal; lost: AbortSignal },
): Promise<void> {
  const { media_id, attempts, bucket_id: bucket, version, video_version, video_type, video_size } = claim;
  const video = video_version
    ? { bucket, version: video_version, type: video_type, size: Number(video_size) }
    : undefined;
  const end = (motion: "ready" | "failed") =>
    db.query(
      `with ended as (delete from private.motion_claims where media_id = $1),
         forgotten as (delete from private.file_failures where object_id = $1 and job = 'motions' and $2 = 'ready')
       update media set motion = $2 where id = $1`,
      [media_id, motion],
    );
  const fail = async (error: unknown, isFinal: boolean) => {
    const seconds = await countFailure(db, { job: "motions", id: media_id, error, isFinal });
    if (seconds === undefined) await end("failed");
    else await releaseMedia(db, "motion_claims", claim, { seconds, counts: false });
  };
  if (attempts > MAX_ATTEMPTS) return fail(CRASHED, true);
  try {
    await makeMotion({ files, ffmpeg }, { bucket, version }, video, AbortSignal.any([requested, lost]));
    await end("ready");
  } catch (error) {
    // The row was deleted, or is about to be.
    if (error instanceof MissingBytesError || lost.aborted) return;
    if (requested.aborted) {
      await releaseMedia(db, "motion_claims", claim, { seconds: -1, counts: false });
    } else if (error instanceof UnreadableVideoError || (error instanceof ProgramError && error.refused)) {
      log.warn({ media: media_id, reason: error.message }, "The video of a photo could not be copied");
      await fail(error, true);
    } else {
      log.error(error, "The video of a photo could not be copied");
      await fail(error, false);
    }
  }
}
