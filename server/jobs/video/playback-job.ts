import { availableParallelism } from "node:os";
import { plausibleSeconds, plausibleSide } from "../../../shared/file-numbers.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { MissingBytesError } from "../../files/object-store.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { CLAIM_SECONDS, RECHECK_MS, releaseMedia, renewingMedia } from "../claims.ts";
import { CRASHED, countFailure } from "../file-failures.ts";
import { waitUntilIdle } from "../wait-until-idle.ts";
import { type Job, workOff } from "../worker.ts";
import { type Ffmpeg, ProgramError } from "./ffmpeg.ts";
import { makePlayable } from "./make-playable.ts";
import { readPeaks } from "./peaks.ts";
import { makePoster } from "./poster.ts";
import { type Probe, uprightSize } from "./probe.ts";

/** A video whose copy is about to be made. */
interface PlaybackClaim {
  media_id: string;
  attempts: number;
  bucket_id: string;
  version: string;
  object_name: string;
  mime_type: string;
  size: number;
  /** Its length; estimated by its size if that is unknown. */
  seconds: number;
}

/** The length of a video `m` in seconds. A container that was not read yet has about a megabyte for each second. */
const SECONDS = "coalesce(m.duration, m.size / 1e6)::float8";
/** A video up to this length is short: its copy takes a minute or two. */
const SHORT_SECONDS = 60;
/** Two copies at once need two cores, and two long ones four; so a short video never waits for a long one. */
const CORES = availableParallelism();
const AT_ONCE = CORES >= 2 ? 2 : 1;
const LONG_AT_ONCE = CORES >= 4 ? 2 : 1;

/** The claims on videos, in the database that all processes share. */
const playbackClaims = (db: Database) => ({
  /** Marks new videos as waiting for a copy; viewers see this state. */
  async announce(): Promise<void> {
    await db.query(
      "update media set playback = 'waiting' where type in ('video', 'audio') and playback is null and moderation <> 'attached'",
    );
  },

  /** Marks videos as not waiting any more, e.g. after ffmpeg was removed. */
  async withdraw(): Promise<void> {
    await db.query(
      `update media m set playback = null, playback_progress = null where type in ('video', 'audio')
         and playback in ('waiting', 'making')
         and not exists (select from private.playback_claims c where c.media_id = m.id and c.until > now())`,
    );
    await db.query(
      `update media m set visitor_copy = 'failed' where type in ('video', 'audio') and visitor_copy = 'waiting'
         and not exists (select from private.video_copies c where c.media_id = m.id)`,
    );
  },

  /**
   * Claims a video of at most so many seconds, for one process only: the shortest first. A second of waiting counts as
   * much as a second of length, so that a long video waits at most its own length longer than others.
   */
  async next(maxSeconds: number): Promise<PlaybackClaim | undefined> {
    const { rows } = await db.query<PlaybackClaim>(
      `with longest as (
         select m.id, o.bucket_id, o.version, m.object_name, o.metadata ->> 'mimetype' as mime_type, m.size,
           ${SECONDS} as seconds from media m
         join storage.objects o on o.id = m.id left join private.playback_claims c on c.media_id = m.id
         where m.type in ('video', 'audio') and m.moderation <> 'attached' and (m.playback is null or m.playback in ('waiting', 'making'))
           and coalesce(c.until < now(), true) and ${SECONDS} <= $2
         order by ${SECONDS} - extract(epoch from now() - m.created_at), m.created_at limit 1 for update of m skip locked
       ), claim as (
         insert into private.playback_claims as c (media_id, until)
         select id, now() + make_interval(secs => $1) from longest
         on conflict (media_id) do update set attempts = c.attempts + 1, until = excluded.until where c.until < now()
         returning media_id, attempts
       ) select media_id, attempts, bucket_id, version, object_name, mime_type, size, seconds from claim join longest on id = media_id`,
      [CLAIM_SECONDS, maxSeconds],
    );
    return rows[0];
  },

  /** Stores the progress, which viewers see. */
  async reportProgress(mediaId: string, progress: number): Promise<void> {
    await db.query("update media set playback = 'making', playback_progress = $2 where id = $1", [mediaId, progress]);
  },

  /** Stores a video's size and duration if they could not be read at upload. */
  async describe(mediaId: string, facts: Probe): Promise<void> {
    const { width, height, duration } = { ...facts, ...uprightSize(facts) };
    await db.query(
      `update media set width = coalesce(width, $2), height = coalesce(height, $3), duration = coalesce($4, duration)
       where id = $1`,
      [mediaId, plausibleSide(width) ?? null, plausibleSide(height) ?? null, plausibleSeconds(duration) ?? null],
    );
  },

  /** Marks a video without copy and poster as broken, like an unreadable photo. */
  async finish(
    mediaId: string,
    playback: "ready" | "unneeded" | "failed",
    hasStreams?: boolean | undefined,
  ): Promise<void> {
    const hasCopy = playback === "failed" ? (hasStreams ?? null) : true;
    await db.query(
      `update media set playback = $2, playback_progress = null,
         visitor_copy = case when coalesce($3, visitor_copy = 'ready') then 'ready' else 'failed' end,
         state = case when not coalesce($3, visitor_copy = 'ready') and poster_name is null then 'broken' else state end
       where id = $1`,
      [mediaId, playback, hasCopy],
    );
    await db.query(
      `with ended as (delete from private.playback_claims where media_id = $1)
       delete from private.file_failures where object_id = $1 and job = 'video-copies' and $2 <> 'failed'`,
      [mediaId, playback],
    );
  },

  /** Releases a claim for a retry after so many seconds. Only an attempt that failed due to the video is counted. */
  async release(claim: PlaybackClaim, when: { seconds: number; counts: boolean }): Promise<void> {
    await releaseMedia(db, "playback_claims", claim, when);
    await db.query("update media set playback = 'waiting', playback_progress = null where id = $1", [claim.media_id]);
  },

  async hasPoster(mediaId: string): Promise<boolean> {
    const { rows } = await db.query("select from media where id = $1 and poster_name is not null", [mediaId]);
    return rows.length > 0;
  },
});

type PlaybackClaims = ReturnType<typeof playbackClaims>;

/** A video that crashed its process or ffmpeg this often is not tried again. */
const MOST_ATTEMPTS = 3;
/** The minimum interval of progress reports. */
const REPORT_INTERVAL_MS = 4000;

interface PlaybackDeps {
  db: Database;
  files: Files;
  /** Absent if ffmpeg is not installed: then originals play where they can. */
  ffmpeg: Ffmpeg | undefined;
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

/**
 * Makes copies of videos that play everywhere, the shortest first, two at a time if there are cores. The next start
 * repeats a copy that was interrupted.
 */
export function playbackJob({ ffmpeg, ...deps }: PlaybackDeps): Job {
  const claims = playbackClaims(deps.db);
  const job = { name: "video-copies", interval: RECHECK_MS };
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
  const turns = claimsInTurn(claims);
  return {
    ...job,
    concurrency: AT_ONCE,
    channel: "media_waiting",
    // Marks further videos as waiting while one is being made.
    onNotification: announce,
    async run(stop) {
      // Marked first, because marking locks a row, and claiming skips locked rows.
      await announce();
      const next = async () => {
        // Active uploads take precedence.
        await waitUntilIdle(deps.files.activeUploads);
        return stop.requested.aborted ? undefined : turns.claim();
      };
      await workOff(stop, next, async (claim) => {
        const end = await renewingMedia(deps.db, "playback_claims", claim, ({ lost }) =>
          make(claim, { ...deps, ffmpeg, claims }, { requested: stop.requested, lost }),
        ).finally(() => turns.end(claim));
        await end?.();
      });
      return undefined;
    },
  };
}

/** Claims videos for the runs of this process, one after the other, so that only so many make long copies. */
function claimsInTurn(claims: PlaybackClaims) {
  let longCopies = 0;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    claim(): Promise<PlaybackClaim | undefined> {
      const claiming = turn.then(async () => {
        const claim = await claims.next(longCopies < LONG_AT_ONCE ? Number.MAX_SAFE_INTEGER : SHORT_SECONDS);
        if (claim && claim.seconds > SHORT_SECONDS) longCopies += 1;
        return claim;
      });
      turn = claiming.catch(() => undefined);
      return claiming;
    },
    end({ seconds }: PlaybackClaim): void {
      if (seconds > SHORT_SECONDS) longCopies -= 1;
    },
  };
}

type WorkDeps = Omit<PlaybackDeps, "ffmpeg"> & { ffmpeg: Ffmpeg; claims: PlaybackClaims };

/** Makes a copy. Resolves to the function that stores the result; undefined if the row or the claim is lost. */
async function make(
  claim: PlaybackClaim,
  deps: WorkDeps,
  { requested, lost }: { requested: AbortSignal; lost: AbortSignal },
): Promise<(() => Promise<void>) | undefined> {
  const { claims, log } = deps;
  const { media_id, attempts } = claim;
  const signal = AbortSignal.any([requested, lost]);
  const failed = (error: unknown, isFinal: boolean) =>
    countFailure(deps.db, { job: "video-copies", id: media_id, error, isFinal });
  if (attempts > MOST_ATTEMPTS) {
    await failed(CRASHED, true);
    return () => claims.finish(media_id, "failed");
  }
  try {
    const { outcome, facts } = await withProgress(claim, deps, signal);
    if (isSound(claim.mime_type)) await claims.describe(media_id, facts);
    return () => claims.finish(media_id, outcome, true);
  } catch (error) {
    // The row was deleted, or is about to be.
    if (error instanceof MissingBytesError || lost.aborted) return undefined;
    if (requested.aborted) return () => claims.release(claim, { seconds: -1, counts: false });
    const isFinal = error instanceof ProgramError && error.refused;
    if (error instanceof ProgramError) {
      log.warn({ media: media_id, attempts, reason: error.message }, "No copy of a video could be made");
    } else {
      log.error(error, "A video could not be prepared");
    }
    const seconds = await failed(error, isFinal);
    if (seconds !== undefined) return () => claims.release(claim, { seconds, counts: false });
    if (!isSound(claim.mime_type)) await poster(claim, deps, undefined, signal);
    const streams = await hasStreams(claim, deps.files);
    return () => claims.finish(media_id, "failed", streams);
  }
}

/** Whether the video's streams could be copied, which visitors get if no rendition can be made. */
const hasStreams = ({ bucket_id: bucket, version, mime_type: type, size }: PlaybackClaim, files: Files) =>
  files.videos.streams({ bucket, version, type, size: Number(size) }, false).then(
    () => true,
    // Other failures leave it to the job that copies streams.
    (error: unknown) => (error instanceof UnreadableVideoError ? false : undefined),
  );

async function withProgress(claim: PlaybackClaim, deps: WorkDeps, signal: AbortSignal) {
  const { claims, ffmpeg, files, log } = deps;
  let progress: number | undefined;
  const report = () => {
    if (progress === undefined) return;
    claims
      .reportProgress(claim.media_id, progress)
      .catch((error: unknown) => log.error(error, "Progress was not told"));
  };
  const timer = setInterval(report, REPORT_INTERVAL_MS);
  try {
    const { bucket_id: bucket, version, mime_type: type } = claim;
    const video = { bucket, version, type, size: Number(claim.size) };
    return await makePlayable(ffmpeg, files, video, {
      signal,
      onProgress(part) {
        progress = part;
      },
      // At once, because the copy of a long video takes a while.
      async onFacts(facts, path) {
        await claims.describe(claim.media_id, facts);
        if (isSound(type)) await wave(claim, deps, { path, facts, signal });
        else await poster(claim, deps, facts, signal);
      },
    });
  } finally {
    clearInterval(timer);
  }
}

const isSound = (type: string) => type.startsWith("audio/");

/** Stores the wave of a recording, which its tile and player draw. */
async function wave(
  { media_id, mime_type: type }: PlaybackClaim,
  { db, ffmpeg, log }: WorkDeps,
  { path, facts, signal }: { path: string; facts: Probe; signal: AbortSignal },
) {
  try {
    const peaks = await readPeaks(ffmpeg, { path, type, facts, signal });
    await db.query("update media set peaks = $2 where id = $1", [media_id, peaks ?? null]);
  } catch (error) {
    // Without a wave, a plain line is drawn.
    if (!(error instanceof ProgramError)) throw error;
    log.warn({ media: media_id, reason: error.message }, "No wave of a recording could be drawn");
  }
}

/**
 * Makes a missing poster. The browser uploads its poster right after the video; if none has arrived by now, the browser
 * could make none.
 */
async function poster(
  claim: PlaybackClaim,
  { db, files, ffmpeg, claims, log }: WorkDeps,
  facts: Probe | undefined,
  signal: AbortSignal,
) {
  if (await claims.hasPoster(claim.media_id)) return;
  const video = {
    bucket: claim.bucket_id,
    version: claim.version,
    type: claim.mime_type,
    name: claim.object_name,
  };
  await makePoster(ffmpeg, { db, files }, video, facts, signal).catch((error: unknown) => {
    // A missing poster must not fail the video: its tile shows an icon instead.
    log.warn({ media: claim.media_id, reason: String(error) }, "No poster of a video could be made");
  });
}
