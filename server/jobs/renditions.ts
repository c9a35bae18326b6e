import type { PhotoEdit } from "../../shared/photo-edit.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import type { Copy } from "../files/pictures/copies.ts";
import { UnreadablePictureError } from "../files/pictures/pictures.ts";
import type { PictureKey } from "../files/pictures/renditions.ts";
import { countFailure, forgetFailures } from "./file-failures.ts";
import { analysePhoto, type PhotoAnalysis } from "./photo-analysis.ts";
import { type QueueDeps, queueJob } from "./queue.ts";
import { type Job, workOff } from "./worker.ts";

/** The number of photos in parallel, one per spare core. Making copies has its own queue. */
const AT_ONCE = 2;

interface RenditionDeps extends QueueDeps {
  files: Files;
}

interface Picture {
  id: string;
  /** For a video, its poster is prepared. */
  type: "image" | "video";
  bucket: string;
  version: string;
  mime_type: string;
  edit: PhotoEdit | null;
}

/** Types that browsers cannot show, so that everybody but managers gets a copy in full size, and its decoding is slow. */
const SLOW_TYPES = new Set(["image/heic", "image/heif"]);
const FULL: Copy = { size: "full", format: "webp" };
/** The most photos that wait for their full copies; further ones are made when a person asks. */
const MAX_FULL_COPIES = 5000;

/** Prepares photos for display, and then, while nothing waits, copies in full size of those that are slow to decode. */
export function renditionsJob(deps: RenditionDeps): Job {
  const { db, files } = deps;
  const slow: PictureKey[] = [];
  const queue = queueJob<Picture>(deps, {
    kind: "photos",
    concurrency: AT_ONCE,
    async load(id) {
      const { rows } = await db.query<Picture>(
        `select m.id, m.type, o.bucket_id as bucket, o.version, o.metadata ->> 'mimetype' as mime_type, m.edit
         from media m join storage.objects o on case m.type when 'image' then o.id = m.id
           else o.bucket_id = 'posters' and o.name = m.poster_name end
         where m.id = $1 and m.state = 'waiting'`,
        [id],
      );
      return rows[0];
    },
    async run(picture, { end }) {
      const { bucket, version, mime_type, edit } = picture;
      const analysis = await analysePhoto(files, { bucket, version, edit }, mime_type);
      await storeDetails(db, picture, analysis);
      const isStored = await end(storeAnalysis(picture, analysis));
      if (SLOW_TYPES.has(mime_type) && slow.length < MAX_FULL_COPIES) slow.push({ bucket, version, edit });
      return isStored;
    },
    isFinal: (error) => error instanceof UnreadablePictureError,
    reasonOf: (error) => (error instanceof UnreadablePictureError ? error.cause : undefined),
    giveUp,
  });
  return {
    ...queue,
    async run(stop) {
      for (;;) {
        await queue.run(stop);
        const key = stop.requested.aborted ? undefined : slow.shift();
        if (!key) return undefined;
        // A person who asks gets the reason; here it is only work in advance.
        await files.renditions.prepare(key, [FULL]).catch(() => undefined);
      }
    },
  };
}

const isDated = ({ type }: Picture, { dates }: PhotoAnalysis) => type === "image" && dates.length > 0;

/** Stores what an analysis says about a photo's date, people and other file. Each statement is retried after a deadlock. */
async function storeDetails(db: Database, picture: Picture, analysis: PhotoAnalysis): Promise<void> {
  const { id, type } = picture;
  if (isDated(picture, analysis))
    await db.query("select private.date_photo($1, $2)", [id, JSON.stringify(analysis.dates)]);
  const people = type === "image" ? analysis.people : [];
  await db.query("select private.suggest_names($1, $2)", [id, JSON.stringify(people)]);
  if (type === "image" && analysis.contentIdentifier) {
    await db.query("update media_details set content_identifier = $2 where media_id = $1", [
      id,
      analysis.contentIdentifier,
    ]);
  }
}

/** Stores an analysis. Size and recording time of a video do not come from its poster. A person's date is kept. */
const storeAnalysis = (picture: Picture, analysis: PhotoAnalysis) => (tx: Transaction) => {
  const { placeholder, colour, width, height, damaged, animated, hasVideo, pages = null } = analysis;
  const { id, type } = picture;
  return tx.query(
    `update media set state = 'ready',
       -- If it was edited meanwhile, another job stores these two.
       placeholder = case when placeholder is null or edit - 'of' is not distinct from $12::jsonb - 'of' then $2 else placeholder end,
       colour = case when colour is null or edit - 'of' is not distinct from $12::jsonb - 'of' then $3 else colour end,
       width = case $4 when 'image' then $5 else coalesce(width, $5) end,
       height = case $4 when 'image' then $6 else coalesce(height, $6) end,
       damaged = $4 = 'image' and $7,
       animated = $4 = 'image' and $10,
       pages = case $4 when 'image' then coalesce($11, pages) end,
       motion = case when $4 = 'image' and $9 then coalesce(motion, 'waiting') else motion end,
       taken_at = coalesce((select case when $8 and d.taken_source is distinct from 'person' then d.file_taken_at else d.taken_at end
         from media_details d where d.media_id = $1), taken_at)
     where id = $1`,
    [
      id,
      placeholder,
      colour,
      type,
      width,
      height,
      damaged,
      isDated(picture, analysis),
      hasVideo,
      animated,
      pages,
      picture.edit && JSON.stringify(picture.edit),
    ],
  );
};

/** Marks an unreadable photo as broken. An unreadable poster is deleted, and its video stays ready. */
const giveUp =
  ({ id, type, bucket, version }: Picture) =>
  async (tx: Transaction) => {
    if (type === "video")
      await tx.query("delete from storage.objects where bucket_id = $1 and version = $2", [bucket, version]);
    await tx.query("update media set state = $2 where id = $1", [id, type === "image" ? "broken" : "ready"]);
  };

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
