import { availableParallelism } from "node:os";
import { plausibleSeconds, plausibleSide } from "../../../shared/file-numbers.ts";
import type { Database, Transaction } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { RECHECK_MS } from "../claims.ts";
import { CRASHED } from "../file-failures.ts";
import { type QueueDeps, queueJob } from "../queue.ts";
import type { Job } from "../worker.ts";
import { type Ffmpeg, ProgramError } from "./ffmpeg.ts";
import { makePlayable } from "./make-playable.ts";
import { readPeaks } from "./peaks.ts";
import { makePoster } from "./poster.ts";
import { type Probe, uprightSize } from "./probe.ts";

/** A video whose copy is about to be made. */
interface PlaybackSource {
  id: string;
  bucket: string;
  version: string;
  name: string;
  type: string;
  size: number;
}

/** Two copies at once need two cores, and two long ones four; so a short video never waits for a long one. */
const CORES = availableParallelism();
const AT_ONCE = CORES >= 2 ? 2 : 1;
const LONG_AT_ONCE = CORES >= 4 ? 2 : 1;
/** The minimum interval of progress reports. */
const REPORT_INTERVAL_MS = 4000;

interface PlaybackDeps extends QueueDeps {
  files: Files;
  /** Absent if ffmpeg is not installed: then originals play where they can. */
  ffmpeg: Ffmpeg | undefined;
}
type WorkDeps = PlaybackDeps & { ffmpeg: Ffmpeg };

/**
 * Makes copies of videos that play everywhere, the shortest first, two at a time if there are cores. The next start
 * repeats a copy that was interrupted.
 */
export function playbackJob({ ffmpeg, ...base }: PlaybackDeps): Job {
  if (!ffmpeg) return { name: "video-copies", interval: RECHECK_MS, run: () => withdraw(base.db) };
  const deps = { ...base, ffmpeg };
  const { db, files, log } = deps;
  const queue = queueJob<PlaybackSource>(deps, {
    kind: "video-copies",
    concurrency: AT_ONCE,
    shortestFirst: { longAtOnce: LONG_AT_ONCE },
    async load(id) {
      const { rows } = await db.query<PlaybackSource>(
        `select m.id, o.bucket_id as bucket, o.version, m.object_name as name, o.metadata ->> 'mimetype' as type, m.size
         from media m join storage.objects o on o.id = m.id
         where m.id = $1 and m.moderation <> 'attached' and (m.playback is null or m.playback in ('waiting', 'making'))`,
        [id],
      );
      return rows[0] && { ...rows[0], size: Number(rows[0].size) };
    },
    async run(video, { signal, end }) {
      const { outcome, facts } = await withProgress(video, deps, signal);
      if (isSound(video)) await storeFacts(db, video.id, facts);
      return end(store(video.id, outcome, true));
    },
    isFinal: (error) => error instanceof ProgramError && error.refused,
    pause: (id) => (tx) =>
      tx.query("update media set playback = 'waiting', playback_progress = null where id = $1", [id]),
    async giveUp(video, { error, signal }) {
      if (error === CRASHED) return store(video.id, "failed");
      if (!isSound(video)) await poster(video, deps, undefined, signal);
      return store(video.id, "failed", await hasStreams(video, files));
    },
  });
  // One after the other, because both would lock the same rows.
  let announcing = Promise.resolve();
  const announceInTurn = () => {
    announcing = announcing.then(() => announce(db)).catch((error: unknown) => log.error(error));
    return announcing;
  };
  return {
    ...queue,
    channel: ["media_waiting", "work"],
    // Marks further videos as waiting while one is being made.
    onNotification: announceInTurn,
    async run(stop) {
      await announceInTurn();
      return queue.run(stop);
    },
  };
}

/** Marks new videos as waiting for a copy, which enqueues them; viewers see this state. */
const announce = async (db: Database): Promise<void> =>
  void (await db.query(
    "update media set playback = 'waiting' where type in ('video', 'audio') and playback is null and moderation <> 'attached'",
  ));

/** Marks videos as not waiting any more, after ffmpeg was removed. */
async function withdraw(db: Database): Promise<undefined> {
  await db.query(
    `with withdrawn as (delete from private.work where kind = 'video-copies' and (claim is null or due_at <= now()) returning subject)
     update media m set playback = null, playback_progress = null from withdrawn w
     where m.id = w.subject and m.playback in ('waiting', 'making')`,
  );
  await db.query(
    `update media m set visitor_copy = 'failed' where type in ('video', 'audio') and visitor_copy = 'waiting'
       and not exists (select from private.work w where w.subject = m.id and w.kind = 'video-streams')`,
  );
}

/** Stores the progress, which viewers see. */
const reportProgress = (db: Database, id: string, progress: number) =>
  db.query(
    "update media set playback = 'making', playback_progress = $2 where id = $1 and playback in ('waiting', 'making')",
    [id, progress],
  );

/** Stores a video's size and duration if they could not be read at upload. */
async function storeFacts(db: Database, id: string, facts: Probe): Promise<void> {
  const { width, height, duration } = { ...facts, ...uprightSize(facts) };
  await db.query(
    `update media set width = coalesce(width, $2), height = coalesce(height, $3), duration = coalesce($4, duration)
     where id = $1`,
    [id, plausibleSide(width) ?? null, plausibleSide(height) ?? null, plausibleSeconds(duration) ?? null],
  );
}

/** Stores the result. A video without copy and poster is marked as broken, like an unreadable photo. */
const store =
  (id: string, playback: "ready" | "unneeded" | "failed", hasStreams?: boolean | undefined) => (tx: Transaction) =>
    tx.query(
      `update media set playback = $2, playback_progress = null,
         visitor_copy = case when coalesce($3, visitor_copy = 'ready') then 'ready' else 'failed' end,
         state = case when not coalesce($3, visitor_copy = 'ready') and poster_name is null then 'broken' else state end
       where id = $1`,
      [id, playback, playback === "failed" ? (hasStreams ?? null) : true],
    );

/** Whether the video's streams could be copied, which visitors get if no rendition can be made. */
const hasStreams = (video: PlaybackSource, files: Files) =>
  files.videos.streams(video, false).then(
    () => true,
    // Other failures leave it to the job that copies streams.
    (error: unknown) => (error instanceof UnreadableVideoError ? false : undefined),
  );

async function withProgress(video: PlaybackSource, deps: WorkDeps, signal: AbortSignal) {
  const { db, ffmpeg, files, log } = deps;
  let progress: number | undefined;
  const report = () => {
    if (progress === undefined) return;
    reportProgress(db, video.id, progress).catch((error: unknown) => log.error(error, "Progress was not stored"));
  };
  const timer = setInterval(report, REPORT_INTERVAL_MS);
  try {
    return await makePlayable(ffmpeg, files, video, {
      signal,
      onProgress(part) {
        progress = part;
      },
      // At once, because the copy of a long video takes a while.
      async onFacts(facts, path) {
        await storeFacts(db, video.id, facts);
        if (isSound(video)) await wave(video, deps, { path, facts, signal });
        else await poster(video, deps, facts, signal);
      },
    });
  } finally {
    clearInterval(timer);
  }
}

const isSound = ({ type }: Pick<PlaybackSource, "type">) => type.startsWith("audio/");

/** Stores the wave of a recording, which its tile and player draw. */
async function wave(
  { id, type }: PlaybackSource,
  { db, ffmpeg, log }: WorkDeps,
  { path, facts, signal }: { path: string; facts: Probe; signal: AbortSignal },
) {
  try {
    const peaks = await readPeaks(ffmpeg, { path, type, facts, signal });
    await db.query("update media set peaks = $2 where id = $1", [id, peaks ?? null]);
  } catch (error) {
    // Without a wave, a plain line is drawn.
    if (!(error instanceof ProgramError)) throw error;
    log.warn({ media: id, reason: error.message }, "No wave of a recording could be drawn");
  }
}

/**
 * Makes a missing poster. The browser uploads its poster right after the video; if none has arrived by now, the browser
 * could make none.
 */
async function poster(
  video: PlaybackSource,
  { db, files, ffmpeg, log }: WorkDeps,
  facts: Probe | undefined,
  signal: AbortSignal,
) {
  const { rows } = await db.query("select from media where id = $1 and poster_name is not null", [video.id]);
  if (rows.length > 0) return;
  await makePoster(ffmpeg, { db, files }, video, facts, signal).catch((error: unknown) => {
    // A missing poster must not fail the video: its tile shows an icon instead.
    log.warn({ media: video.id, reason: String(error) }, "No poster of a video could be made");
  });
}
