import { type ApproximateDate, compareDates } from "../../shared/approximate-date.ts";
import type { WantedContents } from "../../shared/download.ts";
import type { PhotoEdit } from "../../shared/photo-edit.ts";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller, type Caller } from "../database/as-caller.ts";
import type { Database, Transaction } from "../database/database.ts";

/** A stored object, with the caller's access. */
export interface StoredFile {
  id: string;
  bucket: string;
  version: string;
  type: string;
  size: number;
  /** Computed at upload; older objects may lack them. */
  sha256: string | null;
  crc32: number | null;
  access: "original" | "copy" | "view";
  /** The edit by which copies of a picture are shown; absent if there is none. */
  edit?: PhotoEdit | null;
}

/** A photo, video, recording or paper. */
export interface Item {
  id: string;
  type: "image" | "video" | "audio";
  /** The original file name; empty if the caller may not know it. */
  file_name: string;
  caption: string;
  alt_text: string;
  /** The hosts' question that it answers. */
  prompt: string | null;
  /** The names of people on it. */
  names: ItemName[];
  /** Without the time of day if the caller may not know it. */
  taken_at: ApproximateDate | null;
  /** The position among items of the same day. */
  time_order: number | null;
  created_at: string;
  position: number | null;
  is_cover: boolean;
  width: number | null;
  height: number | null;
  state: "waiting" | "ready" | "broken";
  /** The number of pages of a paper; null for any other item. */
  pages: number | null;
  object: StoredFile;
  poster: StoredFile | null;
  /** Of a photo with a video: whether the video's copy exists. */
  motion: "waiting" | "ready" | "failed" | null;
  /** The photo's video, raw photo or back, if it is a separate file whose original the caller may have. */
  video: (StoredFile & { file_name: string }) | null;
  /** The back of the print; its own access is in `video`, if the caller may have the original. */
  back: Omit<StoredFile, "access"> | null;
  back_width: number | null;
  back_height: number | null;
  /** What is written on the back, or a description. */
  back_text: string;
}

/** A person's name on a photo; x and y are fractions of the upright picture, or null without a point. */
export interface ItemName {
  name: string;
  x: number | null;
  y: number | null;
}

export interface Story {
  id: string;
  title: string;
  /** Empty if unsigned, or if the caller may not see names. */
  author_name: string;
  /** HTML. */
  body: string;
}

/** An entry of a timeline or programme. */
export interface Moment {
  on_date: ApproximateDate | null;
  /** `HH:MM:SS` */
  starts_at: string | null;
  title: string;
  place: string;
  note: string;
  media_id: string | null;
}

/** A comment on the memory or one of its items. */
export interface Comment {
  id: string;
  /** The comment that it answers; null for the first of a thread. */
  parent_id: string | null;
  /** Empty if unsigned, or if the caller may not see names. */
  author_name: string;
  /** Plain text; empty if it was withdrawn but has answers. */
  body: string;
  /** ISO 8601, UTC. */
  created_at: string;
  media_id: string | null;
  /** The hosts' question that it answers. */
  prompt: string | null;
}

export interface MemoryContents {
  id: string;
  kind: "tribute" | "event";
  person_name: string;
  /** HTML. */
  description: string;
  birth_date: ApproximateDate | null;
  passing_date: ApproximateDate | null;
  event_date: ApproximateDate | null;
  media_order: "taken" | "newest" | "added" | "arranged";
  /** Whether the caller sees the authors of stories and comments. */
  names_told: boolean;
  items: Item[];
  stories: Story[];
  moments: Moment[];
  /** In chronological order. */
  comments: Comment[];
}

/** The content of a download, read as its caller under the row policies. */
export interface Contents {
  /** The album's name, if the download is of an album. */
  album: string | null;
  memories: MemoryContents[];
}

/** Reads the requested content; refuses what the caller cannot see (404) and what they may only view (403). */
export const readContents = (db: Database, caller: Caller, selection: WantedContents): Promise<Contents> =>
  asCaller(db, caller, async (tx) => {
    const album = "albumId" in selection ? await albumName(tx, selection.albumId) : null;
    const visibleItems = await readItems(tx, selection);
    const items = visibleItems.filter(({ object }) => object.access !== "view");
    const memories = await readMemories(tx, selection, [...new Set(visibleItems.map(({ memory_id }) => memory_id))]);
    if (memories.length === 0) throw nothingThere();
    if (!memories.every(({ may_download }) => may_download)) throw downloadForbidden();
    const ids = memories.map(({ id }) => id);
    const stories = selection.archive ? await readStories(tx, ids) : [];
    const moments = selection.archive ? await readMoments(tx, ids) : [];
    const comments = selection.archive ? await readComments(tx, ids) : [];
    const [itemsOf, storiesOf, momentsOf, commentsOf] = [
      byMemory(items),
      byMemory(stories),
      byMemory(moments),
      byMemory(comments),
    ];
    return {
      album,
      memories: memories.map((memory) => ({
        ...memory,
        items: inOrder(memory, itemsOf(memory.id)),
        stories: storiesOf(memory.id),
        moments: momentsOf(memory.id),
        comments: commentsOf(memory.id),
      })),
    };
  });

export const nothingThere = () =>
  new RequestError("not_found", { message: "There is nothing here for you to download." });
export const downloadForbidden = () => new RequestError("downloads_off");

type Read<Row> = Row & { memory_id: string };

/** Groups rows by memory in their order. Grouped once, because an album may have a thousand memories. */
function byMemory<Row>(rows: Read<Row>[]): (id: string) => Read<Row>[] {
  const sorted = new Map<string, Read<Row>[]>();
  for (const row of rows) {
    const others = sorted.get(row.memory_id);
    if (others) others.push(row);
    else sorted.set(row.memory_id, [row]);
  }
  return (id) => sorted.get(id) ?? [];
}

async function albumName(tx: Transaction, id: string): Promise<string> {
  const { rows } = await tx.query<{ name: string }>("select name from albums where id = $1", [id]);
  if (!rows[0]) throw nothingThere();
  return rows[0].name;
}

async function readMemories(tx: Transaction, selection: WantedContents, ofItems: string[]) {
  const [where, value] =
    "albumId" in selection
      ? ["m.album_id = $1 and not m.draft", selection.albumId]
      : ["m.id = any ($1)", "memoryId" in selection ? [selection.memoryId] : ofItems];
  const { rows } = await tx.query<{ memory: MemoryContents & { may_download: boolean } }>(
    // Named columns, because visitors may not read all of them.
    `select (select to_jsonb(f) from (select m.id, m.kind, m.person_name, m.description, m.birth_date, m.passing_date,
       m.event_date, m.media_order, private.can_read_credits(m.id) as names_told, memory_rights(m.id) -> 'download' as may_download) f) as memory
     from memories m where ${where} order by m.album_position, m.created_at, m.id`,
    [value],
  );
  return rows.map(({ memory }) => memory);
}

/** Held and hidden items are included only if they were selected. */
async function readItems(tx: Transaction, selection: WantedContents): Promise<Read<Item>[]> {
  const [where, value] =
    "mediaIds" in selection
      ? ["m.id = any ($1)", selection.mediaIds]
      : "memoryId" in selection
        ? ["m.memory_id = $1 and m.moderation = 'shown'", selection.memoryId]
        : [
            `m.memory_id in (select id from memories where album_id = $1 and not draft) and m.moderation = 'shown'`,
            selection.albumId,
          ];
  const { rows } = await tx.query<{ item: Read<Item> }>(
    `select jsonb_build_object('id', m.id, 'memory_id', m.memory_id, 'type', m.type, 'file_name', coalesce(d.file_name, ''),
       'caption', m.caption, 'alt_text', m.alt_text, 'prompt', (select p.text from prompts p where p.id = m.prompt_id), 'taken_at', coalesce(d.taken_at, m.taken_at), 'time_order', m.time_order, 'created_at', m.created_at at time zone 'utc',
       'names', (select coalesce(jsonb_agg(jsonb_build_object('name', n.name, 'x', n.x, 'y', n.y) order by n.x nulls last, n.name), '[]') from (
         select distinct on (p.id) p.name, n.x, n.y from media_names n join pictured_people p on p.id = any (private.person_roots(array[n.person_id]))
         where n.media_id = m.id order by p.id, n.x nulls last) n),
       'position', m.position, 'is_cover', m.is_cover, 'width', m.width, 'height', m.height, 'state', m.state, 'pages', m.pages,
       'back', case when m.has_back then (select ${storedFile("b")} - 'access' || jsonb_build_object('edit', private.edit_of(b)) from private.back_of(m.id) b) end,
       'back_width', m.back_width, 'back_height', m.back_height, 'back_text', m.back_text,
       'object', ${storedFile("o")} || ${SHOWN_BY}, 'poster', case when p.id is not null then ${storedFile("p")} || ${SHOWN_BY} end, 'motion', m.motion,
       'video', case when vo.id is not null then ${storedFile("vo")} || jsonb_build_object('file_name', coalesce(vd.file_name, '')) end) as item
     from media m join storage.objects o on o.id = m.id left join media_details d on d.media_id = m.id
     left join storage.objects p on p.bucket_id = 'posters' and p.name = m.poster_name
     left join media v on v.motion_of = m.id left join storage.objects vo on vo.id = v.id left join media_details vd on vd.media_id = v.id
     where m.moderation <> 'attached' and (${where})`,
    [value],
  );
  return rows.map(({ item }) => item);
}

const SHOWN_BY = "jsonb_build_object('edit', m.edit)";

const storedFile = (o: string) => `jsonb_build_object(
  'id', ${o}.id, 'bucket', ${o}.bucket_id, 'version', ${o}.version, 'type', ${o}.metadata ->> 'mimetype',
  'size', (${o}.metadata ->> 'size')::bigint, 'sha256', ${o}.metadata ->> 'sha256', 'crc32', (${o}.metadata ->> 'crc32')::bigint,
  'access', private.access_to_object(${o}))`;

async function readStories(tx: Transaction, ids: string[]): Promise<Read<Story>[]> {
  const { rows } = await tx.query<{ row: Read<Story> }>(
    `select jsonb_build_object('memory_id', s.memory_id, 'id', s.id, 'title', s.title, 'author_name', coalesce(n.name, ''),
       'body', s.body) as row
     from stories s left join story_credits n on n.story_id = s.id
     where s.memory_id = any ($1) and s.moderation = 'shown' order by s.position, s.created_at`,
    [ids],
  );
  return rows.map(({ row }) => row);
}

async function readMoments(tx: Transaction, ids: string[]): Promise<Read<Moment>[]> {
  const { rows } = await tx.query<{ row: Read<Moment> }>(
    `select jsonb_build_object('memory_id', memory_id, 'on_date', on_date,
       'starts_at', starts_at, 'title', title,
       'place', concat_ws(', ', nullif(place, ''), nullif(address, '')), 'note', note, 'media_id', media_id) as row
     from memory_entries where memory_id = any ($1)
     order by private.date_order(on_date) nulls last, starts_at nulls first, created_at`,
    [ids],
  );
  return rows.map(({ row }) => row);
}

async function readComments(tx: Transaction, ids: string[]): Promise<Read<Comment>[]> {
  const { rows } = await tx.query<{ row: Read<Comment> }>(
    `select jsonb_build_object('memory_id', c.memory_id, 'id', c.id, 'parent_id', c.parent_id, 'author_name', coalesce(n.name, ''),
       'body', coalesce(n.words, c.body), 'created_at', c.created_at at time zone 'utc', 'media_id', c.media_id,
       'prompt', (select p.text from prompts p where p.id = c.prompt_id)) as row
     from comments c left join comment_credits n on n.comment_id = c.id
     where c.memory_id = any ($1) and c.moderation = 'shown' order by c.created_at, c.id`,
    [ids],
  );
  return rows.map(({ row }) => row);
}

/** Sorts items in the order of the memory's page. */
function inOrder({ media_order }: MemoryContents, items: Item[]): Item[] {
  const first = (a: string | number | null, b: string | number | null) =>
    a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
  const byAddedDate = (a: Item, b: Item) => first(a.created_at, b.created_at) || first(a.id, b.id);
  const time = ({ time_order }: Item) => time_order ?? Number.NEGATIVE_INFINITY;
  const byDate = (a: Item, b: Item) =>
    compareDates(a.taken_at, b.taken_at) || first(time(a), time(b)) || byAddedDate(a, b);
  const by = {
    taken: byDate,
    newest: (a: Item, b: Item) => (a.taken_at && b.taken_at ? compareDates(b.taken_at, a.taken_at) : 0) || byDate(a, b),
    added: byAddedDate,
    arranged: (a: Item, b: Item) => first(a.position, b.position) || byDate(a, b),
  };
  return [...items].sort(by[media_order]);
}
