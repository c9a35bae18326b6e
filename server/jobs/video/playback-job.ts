import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { MissingBytesError } from "../../files/object-store.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { type Job, workOff } from "../worker.ts";
import { type Ffmpeg, ProgramError } from "./ffmpeg.ts";
import { makePlayable } from "./make-playable.ts";
import { makePoster } from "./make-poster.ts";
import { type PlaybackClaim, type PlaybackClaims, playbackClaims } from "./playback-claims.ts";

/** A video that ended its process, or the program, this often would do so again. */
const MOST_ATTEMPTS = 3;
/** Claims of a process that was killed end without a notice, so the queue is also looked at this often. */
const PERIOD_MS = 60_000;
/** How often those who watch hear of progress, at the most; as often a claim is renewed. */
const TELLING_MS = 4000;
const PAUSE_SECONDS = 300;

interface PlaybackDeps {
  db: Database;
  files: Files;
  /** Absent where the programs are not installed: then originals play where they can. */
  ffmpeg: Ffmpeg | undefined;
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

/**
 * Makes copies of videos that play everywhere, one at a time. A copy that is being made when the worker stops is begun again
 * at the next start.
 */
export function playbackJob({ ffmpeg, ...deps }: PlaybackDeps): Job {
  const claims = playbackClaims(deps.db);
  const job = { name: "video-copies", interval: PERIOD_MS };
  if (!ffmpeg) {
    const withdraw = async () => {
      await claims.withdraw();
      return undefined;
    };
    return { ...job, run: withdraw };
  }
  let announcing = Promise.resolve();
  const announce = () => {
    announcing = announcing.then(claims.announce).catch((error: unknown) => deps.log.error(error));
    return announcing;
  };
  return {
    ...job,
    channel: "media_waiting",
    prepare: claims.takeOver,
    // While one is being made the others are told that their turn will come.
    onNotification: announce,
    async run(stop) {
      // A row that is being announced is locked, and would be passed over.
      await announce();
      await workOff(stop, claims.next, (claim) => finish(claim, { ...deps, ffmpeg, claims }, stop.requested));
      return undefined;
    },
  };
}

type WorkDeps = Omit<PlaybackDeps, "ffmpeg"> & { ffmpeg: Ffmpeg; claims: PlaybackClaims };

async function finish(claim: PlaybackClaim, deps: WorkDeps, signal: AbortSignal): Promise<void> {
  const { claims, log } = deps;
  const { media_id, attempts } = claim;
  if (attempts > MOST_ATTEMPTS) return claims.finish(media_id, "failed");
  try {
    const { outcome, facts } = await withProgress(claim, deps, signal);
    await claims.describe(media_id, facts);
    await poster(claim, deps, signal);
    await claims.finish(media_id, outcome, true);
  } catch (error) {
    // Deleted meanwhile: its row is gone or about to go.
    if (error instanceof MissingBytesError) return;
    if (signal.aborted) return claims.release(media_id, { seconds: -1, counts: false });
    if (!(error instanceof ProgramError)) {
      // Not the video's fault, as a full disk.
      log.error(error, "A video could not be looked at");
      return claims.release(media_id, { seconds: PAUSE_SECONDS, counts: false });
    }
    log.warn({ media: media_id, attempts, reason: error.message }, "No copy of a video could be made");
    if (!error.refused && attempts < MOST_ATTEMPTS) {
      return claims.release(media_id, { seconds: PAUSE_SECONDS, counts: true });
    }
    await poster(claim, deps, signal);
    await claims.finish(media_id, "failed", await hasStreams(claim, deps.files));
  }
}

/** Whether visitors get its streams, where no rendition of it can be made. */
const hasStreams = ({ bucket_id: bucket, version, mime_type: type, size }: PlaybackClaim, files: Files) =>
  files.videos.streams({ bucket, version, type, size: Number(size) }, false).then(
    () => true,
    (error: unknown) => {
      if (error instanceof UnreadableVideoError) return false;
      throw error;
    },
  );

async function withProgress(claim: PlaybackClaim, { claims, ffmpeg, files, log }: WorkDeps, signal: AbortSignal) {
  let progress: number | undefined;
  const tell = () =>
    claims.renew(claim.media_id, progress).catch((error: unknown) => log.error(error, "A claim could not be renewed"));
  const timer = setInterval(tell, TELLING_MS);
  try {
    const { bucket_id: bucket, version, mime_type: type } = claim;
    const video = { bucket, version, type, size: Number(claim.size) };
    return await makePlayable(ffmpeg, files, video, {
      signal,
      onProgress(part) {
        progress = part;
      },
    });
  } finally {
    clearInterval(timer);
  }
}

/** The browser's own poster comes right after its video; where none has come by now, the browser could make none. */
async function poster(claim: PlaybackClaim, { db, files, ffmpeg, claims, log }: WorkDeps, signal: AbortSignal) {
  if (await claims.hasPoster(claim.media_id)) return;
  const video = {
    bucket: claim.bucket_id,
    version: claim.version,
    type: claim.mime_type,
    name: claim.object_name,
  };
  await makePoster(ffmpeg, { db, files }, video, signal).catch((error: unknown) => {
    // It is not worth more than the video: its tile shows a sign instead.
    log.warn({ media: claim.media_id, reason: String(error) }, "No poster of a video could be made");
  });
}
