import type { Database } from "../../database/database.ts";
import type { Probe } from "./probe.ts";

/** How long a claim holds without being renewed, in seconds. */
const CLAIM_SECONDS = 120;

/** A video of which somebody is about to make a copy. */
export interface PlaybackClaim {
  media_id: string;
  attempts: number;
  bucket_id: string;
  version: string;
  object_name: string;
  mime_type: string;
  size: number;
}

/** The claims on videos in the database that every process shares. */
export const playbackClaims = (db: Database) => ({
  /** Forgets the claims of a process that was killed, where no other process uses the database. */
  async takeOver(): Promise<void> {
    if (db.exclusive) await db.query("update private.playback_claims set until = '-infinity'");
  },

  /** Tells those who watch that a copy of every video that nobody has looked at yet will be made. */
  async announce(): Promise<void> {
    await db.query(
      "update media set playback = 'waiting' where type = 'video' and playback is null and moderation <> 'attached'",
    );
  },

  /** Tells them that none will be, as where the programs for it have gone. */
  async withdraw(): Promise<void> {
    await db.query(
      `update media m set playback = null, playback_progress = null where type = 'video'
         and playback in ('waiting', 'making')
         and not exists (select from private.playback_claims c where c.media_id = m.id and c.until > now())`,
    );
    await db.query(
      `update media m set visitor_copy = 'failed' where type = 'video' and visitor_copy = 'waiting'
         and not exists (select from private.video_copies c where c.media_id = m.id)`,
    );
  },

  /** Claims the video that waits longest; two processes never hold the same one. */
  async next(): Promise<PlaybackClaim | undefined> {
    const { rows } = await db.query<PlaybackClaim>(
      `with longest as (
         select m.id, o.bucket_id, o.version, m.object_name, o.metadata ->> 'mimetype' as mime_type, m.size from media m
         join storage.objects o on o.id = m.id left join private.playback_claims c on c.media_id = m.id
         where m.type = 'video' and m.moderation <> 'attached' and (m.playback is null or m.playback in ('waiting', 'making'))
           and coalesce(c.until < now(), true)
         order by m.created_at limit 1 for update of m skip locked
       ), claim as (
         insert into private.playback_claims as c (media_id, until)
         select id, now() + make_interval(secs => $1) from longest
         on conflict (media_id) do update set attempts = c.attempts + 1, until = excluded.until where c.until < now()
         returning media_id, attempts
       ) select media_id, attempts, bucket_id, version, object_name, mime_type, size from claim join longest on id = media_id`,
      [CLAIM_SECONDS],
    );
    return rows[0];
  },

  /** Holds a claim longer; the progress, where there is any, is told to those who watch. */
  async renew(mediaId: string, progress?: number): Promise<void> {
    await db.query("update private.playback_claims set until = now() + make_interval(secs => $2) where media_id = $1", [
      mediaId,
      CLAIM_SECONDS,
    ]);
    if (progress === undefined) return;
    await db.query("update media set playback = 'making', playback_progress = $2 where id = $1", [mediaId, progress]);
  },

  /** Writes down how a video is seen where that could not be read as it was stored, and how long it is. */
  async describe(mediaId: string, { picture, duration, isTurned }: Probe): Promise<void> {
    const [width, height] = isTurned ? [picture?.height, picture?.width] : [picture?.width, picture?.height];
    await db.query(
      `update media set width = coalesce(width, $2), height = coalesce(height, $3), duration = coalesce($4, duration)
       where id = $1`,
      [mediaId, width ?? null, height ?? null, duration ?? null],
    );
  },

  /** A video of which there is no copy and no poster shows nothing: it is broken, as a picture is. */
  async finish(mediaId: string, playback: "ready" | "unneeded" | "failed", hasStreams?: boolean): Promise<void> {
    const hasCopy = playback === "failed" ? (hasStreams ?? null) : true;
    await db.query(
      `update media set playback = $2, playback_progress = null,
         visitor_copy = case when coalesce($3, visitor_copy = 'ready') then 'ready' else 'failed' end,
         state = case when not coalesce($3, visitor_copy = 'ready') and poster_name is null then 'broken' else state end
       where id = $1`,
      [mediaId, playback, hasCopy],
    );
    await db.query("delete from private.playback_claims where media_id = $1", [mediaId]);
  },

  /** Lets somebody try again after so many seconds; an attempt that was not the video's fault does not count. */
  async release(mediaId: string, { seconds, counts }: { seconds: number; counts: boolean }): Promise<void> {
    await db.query(
      `update private.playback_claims set until = now() + make_interval(secs => $2), attempts = attempts - $3::integer
       where media_id = $1`,
      [mediaId, seconds, counts ? 0 : 1],
    );
    await db.query("update media set playback = 'waiting', playback_progress = null where id = $1", [mediaId]);
  },

  async hasPoster(mediaId: string): Promise<boolean> {
    const { rows } = await db.query("select from media where id = $1 and poster_name is not null", [mediaId]);
    return rows.length > 0;
  },
});

export type PlaybackClaims = ReturnType<typeof playbackClaims>;
