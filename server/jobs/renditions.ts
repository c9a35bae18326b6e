import type { Database } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import { type BytesKey, MissingBytesError } from "../files/object-store.ts";
import type { Copy } from "../files/pictures/copies.ts";
import { UnreadablePictureError } from "../files/pictures/pictures.ts";
import { CLAIM_SECONDS, RECHECK_MS, releaseMedia, renewingMedia } from "./claims.ts";
import { CRASHED, countFailure, forgetFailures } from "./file-failures.ts";
import { analysePhoto, type PhotoAnalysis } from "./photo-analysis.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";
import { type Job, type Stop, workOff } from "./worker.ts";

/** A picture that crashed its process this often is not tried again. */
const MOST_ATTEMPTS = 3;
/** The number of photos in parallel, one per spare core. Making copies has its own queue. */
const AT_ONCE = 2;

interface RenditionDeps {
  db: Database;
  files: Files;
  log: { error(error: unknown, message?: string): void };
}

interface Claim {
  media_id: string;
  /** For a video, its poster is prepared. */
  type: "image" | "video";
  attempts: number;
  bucket_id: string;
  version: string;
  mime_type: string;
}

/** Types that browsers cannot show, so that everybody but managers gets a copy in full size, and its decoding is slow. */
const SLOW_TYPES = new Set(["image/heic", "image/heif"]);
const FULL: Copy = { size: "full", format: "webp" };
/** The most photos that wait for their full copies; further ones are made when a person asks. */
const MAX_FULL_COPIES = 5000;

/** Prepares photos for display, and then, while nothing waits, copies in full size of those that are slow to decode. */
export function renditionsJob(deps: RenditionDeps): Job {
  const slow: BytesKey[] = [];
  return {
    name: "photos",
    channel: "media_waiting",
    interval: RECHECK_MS,
    concurrency: AT_ONCE,
    async run(stop) {
      for (;;) {
        await prepareWaiting(stop);
        const key = stop.requested.aborted ? undefined : slow.shift();
        if (!key) return undefined;
        // A person who asks gets the reason; here it is only work in advance.
        await deps.files.renditions.prepare(key, [FULL]).catch(() => undefined);
      }
    },
  };

  async function prepareWaiting(stop: Stop): Promise<void> {
    const claim = async () => {
      // Active uploads take precedence over preparation.
      await waitUntilIdle(deps.files.activeUploads);
      return stop.requested.aborted ? undefined : next(deps);
    };
    await workOff(stop, claim, async (claimed) => {
      await renewingMedia(deps.db, "media_claims", claimed, () => finish(deps, claimed));
      const { bucket_id: bucket, version, mime_type } = claimed;
      if (SLOW_TYPES.has(mime_type) && slow.length < MAX_FULL_COPIES) slow.push({ bucket, version });
    });
  }
}

/** Claims the picture that has waited longest, for one process only. */
async function next({ db }: RenditionDeps): Promise<Claim | undefined> {
  const { rows } = await db.query<Claim>(
    `with longest as (
       select m.id, m.type, o.bucket_id, o.version, o.mime_type from media m
       cross join lateral (
         select bucket_id, version, metadata ->> 'mimetype' as mime_type from storage.objects
         where m.type = 'image' and id = m.id
         union all
         select bucket_id, version, metadata ->> 'mimetype' from storage.objects
         where m.type = 'video' and bucket_id = 'posters' and name = m.poster_name
       ) o left join private.media_claims c on c.media_id = m.id
       where m.state = 'waiting' and coalesce(c.until < now(), true)
       order by m.created_at limit 1 for update of m skip locked
     ), claim as (
       insert into private.media_claims as c (media_id, until)
       select id, now() + make_interval(secs => $1) from longest
       on conflict (media_id) do update set attempts = c.attempts + 1, until = excluded.until where c.until < now()
       returning media_id, attempts
     ) select media_id, type, attempts, bucket_id, version, mime_type from claim join longest on id = media_id`,
    [CLAIM_SECONDS],
  );
  return rows[0];
}

async function finish(deps: RenditionDeps, claim: Claim): Promise<void> {
  const { db, log } = deps;
  const { attempts, bucket_id, version, mime_type } = claim;
  try {
    if (attempts > MOST_ATTEMPTS) throw new UnreadablePictureError({ cause: CRASHED });
    const analysis = await analysePhoto(deps.files, { bucket: bucket_id, version }, mime_type);
    await keep(db, claim, analysis);
  } catch (error) {
    // The row was deleted, or is about to be.
    if (error instanceof MissingBytesError) return;
    const isFinal = error instanceof UnreadablePictureError;
    if (!isFinal) log.error(error, "A photo could not be made ready");
    const reason = isFinal ? (error.cause ?? error) : error;
    const seconds = await countFailure(db, { job: "photos", id: claim.media_id, error: reason, isFinal });
    if (seconds !== undefined) return releaseMedia(db, "media_claims", claim, { seconds, counts: false });
    await giveUp(db, claim);
  }
}

/** The beginning of a statement that ends the claim `$1`. */
const ENDING = "with ended as (delete from private.media_claims where media_id = $1)";
const FORGETTING = ", forgotten as (delete from private.file_failures where object_id = $1 and job = 'photos')";

/** Stores an analysis. Size and recording time of a video do not come from its poster. A person's date is kept. */
async function keep(db: Database, { media_id, type }: Claim, analysis: PhotoAnalysis): Promise<void> {
  const { placeholder, colour, width, height, damaged, animated, contentIdentifier, hasVideo, pages = null } = analysis;
  const isDated = type === "image" && analysis.dates.length > 0;
  // Several statements, each retried after a deadlock. The last one ends the claim, so that a crash repeats all.
  if (isDated) await db.query("select private.date_photo($1, $2)", [media_id, JSON.stringify(analysis.dates)]);
  const people = type === "image" ? analysis.people : [];
  await db.query("select private.suggest_names($1, $2)", [media_id, JSON.stringify(people)]);
  if (type === "image" && contentIdentifier) {
    await db.query("update media_details set content_identifier = $2 where media_id = $1", [
      media_id,
      contentIdentifier,
    ]);
  }
  await db.query(
    `${ENDING}${FORGETTING} update media set state = 'ready', placeholder = $2, colour = $3,
       width = case $4 when 'image' then $5 else coalesce(width, $5) end,
       height = case $4 when 'image' then $6 else coalesce(height, $6) end,
       damaged = $4 = 'image' and $7,
       animated = $4 = 'image' and $10,
       pages = case $4 when 'image' then coalesce($11, pages) end,
       motion = case when $4 = 'image' and $9 then coalesce(motion, 'waiting') else motion end,
       taken_at = coalesce((select case when $8 and d.taken_source is distinct from 'person' then d.file_taken_at else d.taken_at end
         from media_details d where d.media_id = $1), taken_at)
     where id = $1`,
    [media_id, placeholder, colour, type, width, height, damaged, isDated, hasVideo, animated, pages],
  );
}

/** Marks an unreadable photo as broken. An unreadable poster is deleted, and its video stays ready. */
async function giveUp(db: Database, { media_id, type, bucket_id, version }: Claim): Promise<void> {
  if (type === "video")
    await db.query("delete from storage.objects where bucket_id = $1 and version = $2", [bucket_id, version]);
  await db.query(`${ENDING} update media set state = $2 where id = $1`, [
    media_id,
    type === "image" ? "broken" : "ready",
  ]);
}

interface WaitingCover {
  id: string;
  cover: string;
  version: string;
  mime_type: string;
}

/** Prepares covers of blog posts: their copies and placeholders. */
export const coversJob = ({ db, files, log }: RenditionDeps): Job => ({
  name: "covers",
  channel: "cover_waiting",
  interval: 60_000,
  async run(stop) {
    // A failure is not retried before the next run.
    const tried: string[] = [];
    const nextCover = async () => {
      if (stop.requested.aborted) return undefined;
      const { rows } = await db.query<WaitingCover>(
        `select o.id, p.cover, o.version, o.metadata ->> 'mimetype' as mime_type
         from blog_posts p join storage.objects o on o.bucket_id = 'covers' and o.name = p.cover
         where p.cover_placeholder is null and p.cover <> all ($1) limit 1`,
        [tried],
      );
      return rows[0];
    };
    await workOff(stop, nextCover, async ({ id, cover, version, mime_type }) => {
      tried.push(cover);
      const analysis = await analysePhoto(files, { bucket: "covers", version }, mime_type).catch(
        async (error: unknown) => {
          const isFinal = error instanceof UnreadablePictureError;
          if (!isFinal) log.error(error, "A cover could not be made ready");
          const seconds = await countFailure(db, { job: "covers", id, error, isFinal });
          // A cover that was given up has an empty placeholder, and no later run retries it.
          return seconds === undefined ? { placeholder: "" } : undefined;
        },
      );
      if (!analysis) return;
      if (analysis.placeholder !== "") await forgetFailures(db, "covers", id);
      const { placeholder, colour = null, width = null, height = null } = analysis as Partial<PhotoAnalysis>;
      await db.query(
        `update blog_posts set cover_placeholder = $2, cover_colour = $3,
           cover_width = coalesce($4, cover_width), cover_height = coalesce($5, cover_height) where cover = $1`,
        [cover, placeholder, colour, width, height],
      );
    });
    return undefined;
  },
});
