import { excerpt } from "../../../shared/excerpt.ts";
import { asCaller, type Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { EmailProps, NoticeEmailName, NoticeLine, NoticeOrder } from "../../emails/email-props.ts";
import type { MemoryPictures } from "../../emails/memory-picture.ts";
import type { StoppingNotices } from "../../unsubscribing/unsubscribing.ts";

/** An email's props and unsubscribe links. */
export interface WrittenNotices {
  props: EmailProps[NoticeEmailName];
  /** The reader, and the memory if it is about one. */
  reader: Caller;
  memory: string | null;
  /** Pictures of the people in its lines, by content id. */
  faces: ReadonlyMap<string, Buffer>;
  page: string;
  endpoint: string;
}

/** Renders an email about notices with its reader's permissions; undefined if no content is left. */
export type WriteNotices = (template: NoticeEmailName, order: NoticeOrder) => Promise<WrittenNotices | undefined>;

const NAMES: readonly string[] = ["notices", "reminder", "link-locked", "storage-warning", "file-lost"];

export const isNoticeEmail = (name: string): name is NoticeEmailName => NAMES.includes(name);

interface Row {
  id: string;
  kind: string;
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

/** The maximum number of lines about one memory; further ones are counted, not listed. */
const LINES = 20;

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

export const writeNotices =
  (deps: {
    db: Database;
    stopping: StoppingNotices;
    publicUrl: string;
    pictures: Pick<MemoryPictures, "face">;
  }): WriteNotices =>
  async (template, { person, notices, cadence }) => {
    const { db, stopping, publicUrl, pictures } = deps;
    const noticesById = new Map(notices.map(({ id, told }) => [id, told]));
    const reader: Caller = { role: "authenticated", sub: person, aal: "aal2" };
    const seen = await asCaller(db, reader, async (tx) => (await tx.query<Row>(READ, [[...noticesById.keys()]])).rows);
    const rows = (await stillWanted(db, person, seen))
      .map((row) => ({ ...row, count: row.kind === "held" ? row.waiting : row.count - (noticesById.get(row.id) ?? 0) }))
      .filter(({ count }) => count > 0);
    const [first] = rows;
    if (!first) return undefined;
    const memories = new Set(rows.map(({ memory_id }) => memory_id));
    const ended = { person, memory: memories.size === 1 ? first.memory_id : null };
    const faces = await facesOf(pictures, rows);
    const links = {
      faces,
      page: stopping.page(ended),
      endpoint: stopping.endpoint(ended),
      reader,
      memory: ended.memory,
    };
    const settingsUrl = `${publicUrl}/profile#notices`;
    const at = memoryUrl(publicUrl, first);
    switch (template) {
      case "reminder":
        return {
          props: {
            occasion: first.kind as "birthday",
            name: first.name ?? "",
            years: first.count,
            passed: first.passed,
            url: at,
            settingsUrl,
          },
          ...links,
        };
      case "link-locked":
        return { props: { name: first.name ?? first.album ?? "", label: first.label ?? "", url: at }, ...links };
      case "storage-warning":
        return { props: { percent: PERCENT[first.kind] ?? 100, url: `${publicUrl}/dashboard` }, ...links };
      case "file-lost":
        return { props: { name: first.name ?? "", files: first.count, url: at + placeIn(first) }, ...links };
      case "notices":
        return { props: { cadence, memories: byMemory(publicUrl, rows, faces), settingsUrl }, ...links };
    }
  };

const PERCENT: Record<string, 75 | 90> = { "storage-75": 75, "storage-90": 90 };

const memoryUrl = (publicUrl: string, { memory_id, album_id }: Pick<Row, "memory_id" | "album_id">) =>
  memory_id ? `${publicUrl}/memory/${memory_id}` : `${publicUrl}/groups${album_id ? `/${album_id}` : ""}`;

/** Removes memories that the reader has muted since the email was enqueued. */
async function stillWanted(db: Database, person: string, rows: Row[]): Promise<Row[]> {
  const { rows: ended } = await db.query<{ memory: string | null }>(
    `select memory from unnest($2::uuid[]) as memory where private.mail_cadence($1, memory) = 'never'`,
    [person, [...new Set(rows.map(({ memory_id }) => memory_id))]],
  );
  return rows.filter(({ memory_id }) => !ended.some(({ memory }) => memory === memory_id));
}

/** Makes each person's picture once. Pictures that cannot be made are left out. */
async function facesOf(pictures: Pick<MemoryPictures, "face">, rows: readonly Row[]): Promise<Map<string, Buffer>> {
  const faces = new Map<string, Buffer>();
  for (const object of new Set(rows.flatMap(({ face }) => face ?? []))) {
    const picture = await pictures.face(object);
    if (picture) faces.set(object, picture);
  }
  return faces;
}

/** Returns the end of the URL of an item on its memory's page. */
function placeIn({ kind, comment_id, story_id, media_id }: Row): string {
  if (kind === "held") return "/waiting";
  if (story_id) return `#story-${story_id}`;
  return `${media_id ? `?photo=${media_id}` : ""}${comment_id ? `#comment-${comment_id}` : ""}`;
}

function byMemory(
  publicUrl: string,
  rows: readonly Row[],
  faces: ReadonlyMap<string, Buffer>,
): EmailProps["notices"]["memories"] {
  const groups = new Map<string | null, Row[]>();
  for (const row of rows) groups.set(row.memory_id, [...(groups.get(row.memory_id) ?? []), row]);
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const url = memoryUrl(publicUrl, first);
    const lines = all.slice(0, LINES).map((row): NoticeLine => {
      const noticeExcerpt = row.body ?? row.title;
      return {
        kind: row.kind as NoticeLine["kind"],
        actor: row.actor_name,
        count: row.count,
        url: url + placeIn(row),
        ...(row.face !== null && faces.has(row.face) ? { face: row.face } : {}),
        ...(noticeExcerpt ? { excerpt: excerpt(noticeExcerpt) } : {}),
      };
    });
    return [{ name: first.name ?? "", url, lines, more: all.length - lines.length }];
  });
}
