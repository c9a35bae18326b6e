import type { NoticeKind } from "../../../shared/notice.ts";
import { asCaller, type Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";

/** A notice that its reader may see and has not read, with what messages about it say. */
export interface VisibleNotice {
  id: string;
  kind: NoticeKind;
  memory_id: string | null;
  actor_name: string;
  count: number;
  waiting: number;
  name: string | null;
  passed: boolean;
  comment_id: string | null;
  story_id: string | null;
  media_id: string | null;
  body: string | null;
  title: string | null;
  label: string | null;
  /** The object of the person's picture. */
  face: string | null;
  album_id: string | null;
  album: string | null;
}

// Runs as the reader: row policies exclude inaccessible content; the conditions exclude withdrawn, hidden and read
// content.
const READ = `
  select n.id, n.kind, n.memory_id, n.actor_name,
    (select o.id from storage.objects o where o.bucket_id = 'avatars'
      and o.name = private.picture_name(coalesce(c.user_id, s.user_id, nullif(n.actor_key, '')::uuid))) as face, n.count, m.person_name as name, m.passing_date is not null as passed,
    n.comment_id, n.story_id, n.media_id, left(coalesce(w.words, c.body), 1000) as body, s.title, l.label, l.album_id, a.name as album,
    case when n.kind = 'held' then
      (select count(*) from comments h where h.memory_id = n.memory_id and h.moderation = 'held')
      + (select count(*) from stories h where h.memory_id = n.memory_id and h.moderation = 'held')
      + (select count(*) from media h where h.memory_id = n.memory_id and h.moderation = 'held')
      + (select count(*) from reactions h where h.memory_id = n.memory_id and h.moderation = 'held')
      + (select count(*) from picture_requests h where h.memory_id = n.memory_id and h.state = 'open') else 0 end::integer as waiting
  from notices n left join memories m on m.id = n.memory_id
  left join comments c on c.id = n.comment_id left join comment_credits w on w.comment_id = c.id left join stories s on s.id = n.story_id
  left join share_links l on l.id = n.link_id left join albums a on a.id = l.album_id
  where n.id = any ($1) and n.read_at is null
    and (n.comment_id is null or c.moderation = 'shown' and c.deleted_at is null) and (n.story_id is null or s.moderation = 'shown')
  order by m.person_name, n.memory_id, n.created_at, n.id`;

/** The caller as which messages about a person's notices are written. */
export const readerOf = (person: string): Caller => ({ role: "authenticated", sub: person, aal: "aal2" });

/** Resolves to those of these notices that the reader may see and has not read, in the order of their memories' names. */
export const visibleNotices = (db: Database, reader: Caller, ids: string[]): Promise<VisibleNotice[]> =>
  asCaller(db, reader, async (tx) => (await tx.query<VisibleNotice>(READ, [ids])).rows);

/** Returns the URL of a notice's memory or album. */
export const memoryUrl = (publicUrl: string, { memory_id, album_id }: Pick<VisibleNotice, "memory_id" | "album_id">) =>
  memory_id ? `${publicUrl}/memory/${memory_id}` : `${publicUrl}/groups${album_id ? `/${album_id}` : ""}`;

/** Returns the end of the URL of an item on its memory's page. */
export function placeOfNotice({ kind, comment_id, story_id, media_id }: VisibleNotice): string {
  if (kind === "held") return "/waiting";
  if (story_id) return `#story-${story_id}`;
  return `${media_id ? `?photo=${media_id}` : ""}${comment_id ? `#comment-${comment_id}` : ""}`;
}
