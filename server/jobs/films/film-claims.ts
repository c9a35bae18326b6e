import type { Database } from "../../database/database.ts";
import { CLAIM_SECONDS } from "../claims.ts";
import type { FilmPhoto } from "./make-film.ts";

/** A film that this process makes. */
export interface FilmClaim {
  slideshow_id: string;
  memory_id: string;
  claim: string;
  attempts: number;
}

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
  pace: number;
  shows_captions: boolean;
  changes: number;
  music: Music | null;
  photos: FilmPhoto[];
}

/** The days for which a film is stored. */
const KEPT_DAYS = 30;
const SHOWN = "m.memory_id = s.memory_id and m.moderation = 'shown' and m.state <> 'broken'";

/** The queue of films, in the database that all processes share. */
export const filmClaims = (db: Database) => ({
  /** Claims the film that has waited longest, for one process only. */
  async next(): Promise<FilmClaim | undefined> {
    const { rows } = await db.query<FilmClaim>(
      `with longest as (
         select f.slideshow_id from slideshow_films f left join private.film_claims c on c.slideshow_id = f.slideshow_id
         where f.state in ('waiting', 'making') and coalesce(c.until < now(), true)
         order by f.requested_at limit 1 for update of f skip locked
       ), claimed as (
         insert into private.film_claims as c (slideshow_id, until)
         select slideshow_id, now() + make_interval(secs => $1) from longest
         on conflict (slideshow_id) do update set attempts = c.attempts + 1, claim = gen_random_uuid(), until = excluded.until
           where c.until < now()
         returning slideshow_id, claim, attempts
       ) update slideshow_films f set state = 'making', progress = 0 from claimed where f.slideshow_id = claimed.slideshow_id
         returning f.slideshow_id, f.memory_id, claimed.claim, claimed.attempts`,
      [CLAIM_SECONDS],
    );
    return rows[0];
  },

  /** Extends a claim. Resolves to false if it has ended, e.g. because the film was cancelled. */
  async renew({ slideshow_id, claim }: FilmClaim): Promise<boolean> {
    const { changed } = await db.query(
      "update private.film_claims set until = now() + make_interval(secs => $3) where slideshow_id = $1 and claim = $2",
      [slideshow_id, claim, CLAIM_SECONDS],
    );
    return changed > 0;
  },

  /** What the slideshow shows. Its files are noted before they are read, so that hiding one of them ends the claim. */
  async contents({ slideshow_id }: FilmClaim): Promise<FilmContents | undefined> {
    await db.query(
      `insert into private.film_media (slideshow_id, media_id)
       select f.slideshow_id, i.media_id from slideshow_films f join slideshow_items i on i.slideshow_id = f.slideshow_id where f.slideshow_id = $1
       union select f.slideshow_id, s.music_id from slideshow_films f join slideshows s on s.id = f.slideshow_id
         where f.slideshow_id = $1 and s.music_id is not null
       on conflict do nothing`,
      [slideshow_id],
    );
    const { rows } = await db.query<FilmContents>(
      `select s.pace, s.shows_captions, s.changes,
         (select jsonb_build_object('id', m.id, 'bucket', o.bucket_id, 'version', o.version, 'size', m.size, 'type', o.metadata ->> 'mimetype')
          from media m join storage.objects o on o.id = m.id where m.id = s.music_id and m.type = 'audio' and ${SHOWN}) as music,
         (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'bucket', o.bucket_id, 'version', o.version, 'caption', m.caption,
            'isPortrait', coalesce(m.height > m.width, false)) order by i.position, m.id), '[]')
          from slideshow_items i join media m on m.id = i.media_id join storage.objects o on o.id = m.id
          where i.slideshow_id = s.id and m.type = 'image' and m.pages is null and ${SHOWN}) as photos
       from slideshows s join memories on memories.id = s.memory_id and memories.deleted_at is null where s.id = $1`,
      [slideshow_id],
    );
    return rows[0];
  },

  /** Stores the progress. Resolves to false if the claim has ended. */
  async reportProgress({ slideshow_id, claim }: FilmClaim, progress: number): Promise<boolean> {
    const { changed } = await db.query(
      `update slideshow_films f set progress = $3 from private.film_claims c
       where f.slideshow_id = $1 and f.state = 'making' and c.slideshow_id = f.slideshow_id and c.claim = $2`,
      [slideshow_id, claim, progress],
    );
    return changed > 0;
  },

  /** Ends a claim with a stored film. Resolves to false if the claim has ended, so that the film must be deleted. */
  async finish(
    { slideshow_id, claim }: FilmClaim,
    film: { objectName: string; size: number; seconds: number; changes: number; media: string[] },
  ): Promise<boolean> {
    const { rows } = await db.query(
      `with done as (
         update slideshow_films f set state = 'ready', progress = null, failure = null, object_name = $3, size = $4, seconds = $5,
           made_at = now(), made_of = $6, expires_at = now() + make_interval(days => $8)
         where f.slideshow_id = $1 and f.state = 'making'
           and exists (select from private.film_claims c where c.slideshow_id = $1 and c.claim = $2)
         returning f.slideshow_id
       ), ended as (
         delete from private.film_claims c using done where c.slideshow_id = done.slideshow_id
       ), left_out as (
         delete from private.film_media m using done where m.slideshow_id = done.slideshow_id and m.media_id <> all ($7)
       ) select slideshow_id from done`,
      [slideshow_id, claim, film.objectName, film.size, film.seconds, film.changes, film.media, KEPT_DAYS],
    );
    return rows.length > 0;
  },

  /** Ends a claim without a film; the one before stays. */
  async fail({ slideshow_id, claim }: FilmClaim, failure: FilmFailure): Promise<void> {
    await db.query(
      `with ended as (delete from private.film_claims where slideshow_id = $1 and claim = $2 returning slideshow_id)
       update slideshow_films f set state = 'failed', failure = $3, progress = null
       from ended where f.slideshow_id = ended.slideshow_id and f.state = 'making'`,
      [slideshow_id, claim, failure],
    );
  },

  /** Releases a claim for a retry after so many seconds. */
  async release({ slideshow_id, claim }: FilmClaim, { seconds, counts }: { seconds: number; counts: boolean }) {
    await db.query(
      `with released as (
         update private.film_claims set until = now() + make_interval(secs => $3), attempts = attempts - $4::integer
         where slideshow_id = $1 and claim = $2 returning slideshow_id
       ) update slideshow_films f set state = 'waiting', progress = null from released
         where f.slideshow_id = released.slideshow_id and f.state = 'making'`,
      [slideshow_id, claim, seconds, counts ? 0 : 1],
    );
  },

  /** Ends all requests, on a machine that can make no films. */
  async refuse(): Promise<void> {
    await db.query(
      "update slideshow_films set state = 'failed', failure = 'unavailable', progress = null where state in ('waiting', 'making')",
    );
  },

  /** Deletes films after their time, and files of films that a killed process did not finish. */
  async deleteExpired(): Promise<void> {
    await db.query("delete from slideshow_films where expires_at < now() and state not in ('waiting', 'making')");
    await db.query(
      `delete from storage.objects o where o.bucket_id = 'films' and o.created_at < now() - interval '1 hour'
         and not exists (select from slideshow_films f where f.object_name = o.name)`,
    );
  },
});
