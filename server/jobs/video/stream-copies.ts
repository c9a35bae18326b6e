import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { MissingBytesError } from "../../files/object-store.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import type { StoredVideo } from "../../files/videos/videos.ts";
import { CLAIM_SECONDS, RECHECK_MS, releaseMedia, renewingMedia } from "../claims.ts";
import { CRASHED, countFailure, forgetFailures } from "../file-failures.ts";
import { waitUntilIdle } from "../wait-until-idle.ts";
import { type Job, workOff } from "../worker.ts";
import type { Ffmpeg } from "./ffmpeg.ts";

/** A video whose copying crashed its process this often is not tried again. */
const MAX_ATTEMPTS = 3;

interface CopyDeps {
  db: Database;
  files: Files;
  /** If installed, it copies videos that our own code cannot. */
  ffmpeg: Ffmpeg | undefined;
  log: { error(error: unknown, message?: string): void };
}

interface Claim {
  media_id: string;
  bucket_id: string;
  version: string;
  size: number;
  mime_type: string;
  attempts: number;
}

/**
 * Copies the streams of stored videos into files without private data, one video at a time, so that the first visitor
 * need not wait for the copy.
 */
export const streamCopiesJob = (deps: CopyDeps): Job => ({
  name: "video-streams",
  channel: "video_stored",
  interval: RECHECK_MS,
  async run(stop) {
    const claim = async () => {
      await waitUntilIdle(deps.files.activeUploads);
      return stop.requested.aborted ? undefined : claimNext(deps.db);
    };
    await workOff(stop, claim, (claimed) => renewingMedia(deps.db, "video_copies", claimed, () => copy(deps, claimed)));
    return undefined;
  },
});

/** Claims the video that has waited longest, for one process only. */
async function claimNext(db: Database): Promise<Claim | undefined> {
  const { rows } = await db.query<Claim>(
    `with longest as (
       select c.media_id, o.bucket_id, o.version, (o.metadata ->> 'size')::bigint as size,
         o.metadata ->> 'mimetype' as mime_type
       from private.video_copies c join storage.objects o on o.id = c.media_id
       where c.until < now() order by o.created_at limit 1 for update of c skip locked
     ), claimed as (
       update private.video_copies c set until = now() + make_interval(secs => $1), attempts = attempts + 1
       from longest where c.media_id = longest.media_id returning c.attempts
     ) select longest.*, claimed.attempts from longest, claimed`,
    [CLAIM_SECONDS],
  );
  return rows[0];
}

async function copy({ db, files, ffmpeg, log }: CopyDeps, claim: Claim): Promise<void> {
  const { media_id, bucket_id, mime_type, version, attempts } = claim;
  const video: StoredVideo = { bucket: bucket_id, type: mime_type, version, size: Number(claim.size) };
  let isCopied = false;
  try {
    if (attempts > MAX_ATTEMPTS) throw new UnreadableVideoError("its process ended", { cause: CRASHED });
    await files.videos.streams(video, false);
    isCopied = true;
    await forgetFailures(db, "video-streams", media_id);
  } catch (error) {
    // The row was deleted, or is about to be.
    if (error instanceof MissingBytesError) return;
    const isFinal = error instanceof UnreadableVideoError;
    if (!isFinal) log.error(error, "The streams of a video could not be copied");
    // A video that only ffmpeg can copy has not failed.
    const counted = isFinal && ffmpeg && error.cause !== CRASHED ? undefined : { error, isFinal };
    const seconds = counted && (await countFailure(db, { job: "video-streams", id: media_id, ...counted }));
    if (seconds !== undefined) return releaseMedia(db, "video_copies", claim, { seconds, counts: false });
  }
  // If ffmpeg is installed, its result decides about a video that cannot be copied here.
  await db.query(
    `with ended as (delete from private.video_copies where media_id = $1)
     update media set visitor_copy = case
       when $2 or playback = 'ready' then 'ready'
       when not $3 or playback = 'failed' then 'failed'
       else visitor_copy end,
       state = case when $2 and state = 'broken' then 'ready' else state end
     where id = $1`,
    [media_id, isCopied, ffmpeg !== undefined],
  );
  // Other queues skipped the locked row, and without this would find it only a minute later.
  await db.query("select pg_notify('media_waiting', '')");
}
