import type { Database, Transaction } from "../../database/database.ts";
import type { FilmPhoto } from "./make-film.ts";

export type FilmFailure = "empty" | "unavailable" | "music" | "failed";

interface Music {
  id: string;
  bucket: string;
  version: string;
  size: number;
  type: string;
}

/** What a slideshow shows now. */
export interface FilmContents {
  memory_id: string;
  pace: number;
  shows_captions: boolean;
  changes: number;
  music: Music | null;
  photos: FilmPhoto[];
}

/** The days for which a film is stored. */
const KEPT_DAYS = 30;
const SHOWN = "m.memory_id = s.memory_id and m.moderation = 'shown' and m.state <> 'broken'";

/**
 * Marks a requested film as being made, and resolves to what its slideshow shows. Its files are noted before they are
 * read, so that hiding one of them ends the work. Undefined if nobody waits for the film any more.
 */
export async function beginFilm(db: Database, slideshow: string): Promise<FilmContents | undefined> {
  const { changed } = await db.query(
    "update slideshow_films set state = 'making', progress = 0 where slideshow_id = $1 and state in ('waiting', 'making')",
    [slideshow],
  );
  if (changed === 0) return undefined;
  await db.query(
    `insert into private.film_media (slideshow_id, media_id)
     select f.slideshow_id, i.media_id from slideshow_films f join slideshow_items i on i.slideshow_id = f.slideshow_id where f.slideshow_id = $1
     union select f.slideshow_id, s.music_id from slideshow_films f join slideshows s on s.id = f.slideshow_id
       where f.slideshow_id = $1 and s.music_id is not null
     on conflict do nothing`,
    [slideshow],
  );
  const { rows } = await db.query<FilmContents>(
    `select s.memory_id, s.pace, s.shows_captions, s.changes,
       (select jsonb_build_object('id', m.id, 'bucket', o.bucket_id, 'version', o.version, 'size', m.size, 'type', o.metadata ->> 'mimetype')
        from media m join storage.objects o on o.id = m.id where m.id = s.music_id and m.type = 'audio' and ${SHOWN}) as music,
       (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'bucket', o.bucket_id, 'version', o.version, 'edit', m.edit, 'caption', m.caption,
          'isPortrait', coalesce(m.height > m.width, false)) order by i.position, m.id), '[]')
        from slideshow_items i join media m on m.id = i.media_id join storage.objects o on o.id = m.id
        where i.slideshow_id = s.id and m.type = 'image' and m.pages is null and ${SHOWN}
          and exists (select from memories where memories.id = s.memory_id and memories.deleted_at is null)) as photos
     from slideshows s where s.id = $1`,
    [slideshow],
  );
  return rows[0];
}

/** Stores the progress. Resolves to false if the film was cancelled or withdrawn. */
export async function reportProgress(db: Database, slideshow: string, progress: number): Promise<boolean> {
  const { changed } = await db.query(
    "update slideshow_films set progress = $2 where slideshow_id = $1 and state = 'making'",
    [slideshow, progress],
  );
  return changed > 0;
}

interface Film {
  objectName: string;
  size: number;
  seconds: number;
  changes: number;
  media: string[];
}

export const storeFilm = (slideshow: string, film: Film) => (tx: Transaction) =>
  tx.query(
    `with done as (
       update slideshow_films set state = 'ready', progress = null, failure = null, object_name = $2, size = $3, seconds = $4,
         made_at = now(), made_of = $5, expires_at = now() + make_interval(days => $7)
       where slideshow_id = $1 and state = 'making' returning slideshow_id
     ) delete from private.film_media m using done where m.slideshow_id = done.slideshow_id and m.media_id <> all ($6)`,
    [slideshow, film.objectName, film.size, film.seconds, film.changes, film.media, KEPT_DAYS],
  );

/** Stores why no film was made; the one before stays. */
export const storeFailure = (slideshow: string, failure: FilmFailure) => (tx: Transaction) =>
  tx.query(
    "update slideshow_films set state = 'failed', failure = $2, progress = null where slideshow_id = $1 and state = 'making'",
    [slideshow, failure],
  );

export const storeWaiting = (slideshow: string) => (tx: Transaction) =>
  tx.query(
    "update slideshow_films set state = 'waiting', progress = null where slideshow_id = $1 and state = 'making'",
    [slideshow],
  );

/** Deletes films after their time, and files of films that a killed process did not finish. */
export async function deleteExpiredFilms(db: Database): Promise<void> {
  await db.query("delete from slideshow_films where expires_at < now() and state not in ('waiting', 'making')");
  await db.query(
    `delete from storage.objects o where o.bucket_id = 'films' and o.created_at < now() - interval '1 hour'
       and not exists (select from slideshow_films f where f.object_name = o.name)`,
  );
}
