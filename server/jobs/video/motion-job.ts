import type { Database } from "../../database/database.ts";
import type { Files } from "../../supabase/storage/files.ts";
import { MissingBytes } from "../../supabase/storage/object-store.ts";
import { UnreadableVideo } from "../../supabase/storage/video/video-error.ts";
import { calm } from "../calm.ts";
import { type Ffmpeg, ProgramFailed } from "./ffmpeg.ts";
import { makeMotion } from "./make-motion.ts";

/** A video that ended its process, or the program, this often would do so again. */
const MAX_ATTEMPTS = 3;
/** Seconds that a claim holds: several times what a few seconds of video take. */
const CLAIM_SECONDS = 900;
/** Claims of a process that was killed end without a notice, so the queue is also read this often. */
const PERIOD_MS = 60_000;

interface MotionDeps {
  db: Database;
  files: Files;
  /** Absent where the programs are not installed: then videos are copied as they were recorded. */
  ffmpeg: Ffmpeg | undefined;
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

interface Claim {
  media_id: string;
  attempts: number;
  bucket_id: string;
  version: string;
  /** Of the video that came as a file of its own; null where it is within the photo's. */
  video_version: string | null;
  video_type: string;
  video_size: number;
}

/**
 * Makes the videos of photos ready to be played, one at a time. Resolves to a function that ends it; a copy that was being
 * made then is begun again at the next start.
 */
export async function startMotions(deps: MotionDeps): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let wanted = false;
  let working: Promise<void> | undefined;

  const next = async () => {
    await calm(deps.files.arrivals);
    return stopping.signal.aborted ? undefined : claimNext(deps.db);
  };
  const work = async () => {
    do {
      wanted = false;
      for (let claim = await next(); claim; claim = await next()) await finish(deps, claim, stopping.signal);
    } while (wanted && !stopping.signal.aborted);
  };
  const wake = () => {
    wanted = true;
    if (stopping.signal.aborted) return;
    working ??= work()
      .catch((error: unknown) => deps.log.error(error))
      .finally(() => {
        working = undefined;
      });
  };

  // Every claim in a database of this process's own is of a worker that was killed.
  if (deps.db.exclusive) await deps.db.query("update private.motion_claims set until = '-infinity'");
  const unlisten = await deps.db.listen("motion_waiting", wake);
  const timer = setInterval(wake, PERIOD_MS).unref();
  wake();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await unlisten();
    await working;
  };
}

/** Claims the photo that has waited longest; two processes never hold the same one. */
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

async function finish({ db, files, ffmpeg, log }: MotionDeps, claim: Claim, signal: AbortSignal): Promise<void> {
  const { media_id, attempts, bucket_id: bucket, version, video_version, video_type, video_size } = claim;
  const video = video_version
    ? { bucket, version: video_version, type: video_type, size: Number(video_size) }
    : undefined;
  const end = (motion: "ready" | "failed") =>
    db.query(
      `with ended as (delete from private.motion_claims where media_id = $1) update media set motion = $2 where id = $1`,
      [media_id, motion],
    );
  if (attempts > MAX_ATTEMPTS) return void (await end("failed"));
  try {
    await makeMotion({ files, ffmpeg }, { bucket, version }, video, signal);
    await end("ready");
  } catch (error) {
    // Deleted meanwhile: its row is gone or about to go.
    if (error instanceof MissingBytes) return;
    if (signal.aborted) {
      await db.query(
        "update private.motion_claims set until = '-infinity', attempts = attempts - 1 where media_id = $1",
        [media_id],
      );
    } else if (error instanceof UnreadableVideo || (error instanceof ProgramFailed && error.refused)) {
      log.warn({ media: media_id, reason: error.message }, "The video of a photo could not be copied");
      await end("failed");
    } else {
      // Not the video's fault, as a full disk: it is tried again once the claim is over.
      log.error(error, "The video of a photo could not be copied");
    }
  }
}
