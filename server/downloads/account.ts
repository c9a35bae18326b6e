import { ACCOUNT_FORMAT, type ExportedAccount } from "../../shared/account-export.ts";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller, type Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { StoredFile } from "./contents.ts";
import { type Manifest, storedEntry, textEntry, withChecksums } from "./manifest.ts";
import type { FileToMeasure, Measured } from "./measured-files.ts";

const FOLDER = "skies-account";

/** An account's export: the content of `account.json`, and the files that it names. */
export interface AccountContents {
  account: ExportedAccount;
  files: { path: string; at: string; file: FileToMeasure }[];
}

const author = (table: string, id: string, credits: string) =>
  `jsonb_build_object('mine', coalesce(${table}.user_id = auth.uid(), false), 'name',
    coalesce((select n.name from ${credits} n where n.${id} = ${table}.id), ''))`;

const LINK = `jsonb_build_object('label', l.label, 'rights', l.rights, 'expires_at', l.expires_at, 'allows_download', l.allows_download,
  'moderated', l.moderated, 'shows_names', l.shows_names, 'preview', l.preview, 'is_first', l.is_first, 'created_at', l.created_at)`;
/** Links of invitations and cards are not exported, and a closed link stays closed. */
const TAKEN_LINKS = "l.revoked_at is null and l.invitation_id is null and not l.for_card";
const listOf = (item: string, from: string, order: string) =>
  `(select coalesce(jsonb_agg(${item} order by ${order}), '[]') from ${from})`;

const ALBUMS = `
  select jsonb_build_object('id', a.id, 'name', a.name, 'position', a.position, 'cover_media_id', a.cover_media_id, 'created_at', a.created_at,
    'links', ${listOf(LINK, `share_links l where l.album_id = a.id and ${TAKEN_LINKS}`, "l.created_at, l.label")}) as row
  from albums a where a.user_id = auth.uid() order by a.position, a.created_at, a.id`;

const MEDIA = `jsonb_build_object('id', x.id, 'caption', x.caption, 'alt_text', x.alt_text, 'position', x.position, 'is_cover', x.is_cover,
  'moderation', x.moderation, 'motion_of', x.motion_of, 'is_back', x.is_back, 'back_text', x.back_text, 'edit', x.edit - 'of', 'prompt_id', x.prompt_id, 'created_at', x.created_at, 'taken_at', d.taken_at, 'taken_source', d.taken_source,
  'file_taken_at', d.file_taken_at, 'file_taken_source', d.file_taken_source,
  'author', jsonb_build_object('mine', coalesce(d.user_id = auth.uid(), false),
    'name', coalesce((select n.name from media_credits n where n.media_id = x.id), '')),
  'names', ${listOf(
    `jsonb_build_object('person_id', n.person_id, 'point', case when n.x is not null then jsonb_build_object('x', n.x, 'y', n.y) end)`,
    "media_names n join pictured_people p on p.id = n.person_id where n.media_id = x.id",
    "p.created_at, p.name, p.id",
  )},
  'object', (select ${storedObject("o")} from storage.objects o where o.id = x.id),
  'poster', (select ${storedObject("p")} from storage.objects p where p.bucket_id = 'posters' and p.name = x.poster_name))`;

function storedObject(o: string) {
  return `jsonb_build_object('id', ${o}.id, 'bucket', ${o}.bucket_id, 'version', ${o}.version, 'name', ${o}.name,
    'metadata', ${o}.metadata, 'user_metadata', ${o}.user_metadata, 'access', private.access_to_object(${o}))`;
}

const MEMORIES = `
  select jsonb_build_object('id', m.id, 'kind', m.kind, 'person_name', m.person_name, 'description', m.description, 'birth_date', m.birth_date,
    'passing_date', m.passing_date, 'event_date', m.event_date, 'draft', m.draft, 'created_at', m.created_at, 'album_id', m.album_id,
    'album_position', m.album_position, 'cover_x', m.cover_x, 'cover_y', m.cover_y, 'media_order', m.media_order,
    'media', ${listOf(MEDIA, "media x join media_details d on d.media_id = x.id where x.memory_id = m.id and x.moderation <> 'deleted'", "x.created_at, x.id")},
    'people', ${listOf(
      `jsonb_build_object('id', p.id, 'name', p.name, 'other_names', p.other_names, 'born_year', p.born_year, 'died_year', p.died_year,
        'merged_into', p.merged_into, 'created_at', p.created_at, 'own_memory_id', (select i.memory_id from pictured_identities i
          join memories own on own.id = i.memory_id and own.user_id = auth.uid() where i.person_id = p.id))`,
      "pictured_people p where p.memory_id = m.id and not p.deleted",
      "p.created_at, p.name, p.id",
    )},
    'stories', ${listOf(
      `jsonb_build_object('id', s.id, 'title', s.title, 'body', s.body, 'position', s.position, 'moderation', s.moderation, 'created_at', s.created_at,
        'author', ${author("s", "story_id", "story_credits")})`,
      "stories s where s.memory_id = m.id and s.moderation <> 'deleted'",
      "s.position, s.created_at",
    )},
    'entries', ${listOf(
      `jsonb_build_object('id', e.id, 'on_date', e.on_date, 'starts_at', e.starts_at, 'title', e.title, 'place', e.place, 'note', e.note,
        'media_id', e.media_id, 'created_at', e.created_at, 'part', e.part, 'time_zone', e.time_zone, 'doors_at', e.doors_at,
        'ends_at', e.ends_at, 'address', e.address, 'map_url', e.map_url, 'directions', e.directions, 'parking', e.parking,
        'accessibility', e.accessibility, 'dress', e.dress, 'gifts', e.gifts, 'gifts_url', e.gifts_url, 'contact', e.contact,
        'audience', e.audience, 'stream_from', e.stream_from, 'asks_replies', e.asks_replies,
        'stream_url', (select s.url from entry_streams s where s.entry_id = e.id))`,
      "memory_entries e where e.memory_id = m.id",
      "e.created_at, e.id",
    )},
    'day_reply_settings', (select to_jsonb(s) - '{memory_id,revision}'::text[] from day_reply_settings s where s.memory_id = m.id),
    'memory_prints', (select to_jsonb(p) - '{memory_id,revision}'::text[] from memory_prints p where p.memory_id = m.id),
    'memory_services', (select to_jsonb(s) - '{memory_id,revision}'::text[] from memory_services s where s.memory_id = m.id),
    'day_replies', ${listOf(
      `jsonb_build_object('id', r.id, 'mine', r.user_id is not distinct from auth.uid(), 'answer', r.answer, 'names', r.names,
        'part_ids', r.part_ids, 'note', r.note, 'answers', r.answers, 'most', r.most, 'waiting_since', r.waiting_since,
        'created_at', r.created_at, 'updated_at', r.updated_at)`,
      "day_replies r where r.memory_id = m.id",
      "r.created_at, r.id",
    )},
    'prompts', ${listOf(
      `jsonb_build_object('id', p.id, 'text', p.text, 'suggestion', p.suggestion, 'position', p.position, 'created_at', p.created_at)`,
      "prompts p where p.memory_id = m.id",
      "p.position, p.created_at, p.id",
    )},
    'letters', ${listOf(
      `jsonb_build_object('recipient', l.recipient, 'note', l.note, 'media_ids', l.media_ids, 'created_at', l.created_at,
        'expires_at', l.expires_at, 'answers', (select coalesce(jsonb_agg(jsonb_build_object('media_id', a.media_id, 'about', a.about,
          'answer', a.answer, 'state', a.state, 'created_at', a.created_at, 'updated_at', a.updated_at) order by a.created_at, a.id), '[]')
          from photo_answers a where a.letter_id = l.id))`,
      "photo_letters l where l.memory_id = m.id",
      "l.created_at, l.id",
    )},
    'slideshows', ${listOf(
      `jsonb_build_object('title', s.title, 'pace', s.pace, 'shows_captions', s.shows_captions, 'music_id', s.music_id,
        'music_is_allowed', s.music_is_allowed, 'created_at', s.created_at, 'photos', (select coalesce(jsonb_agg(i.media_id order by i.position), '[]')
          from slideshow_items i where i.slideshow_id = s.id))`,
      "slideshows s where s.memory_id = m.id",
      "s.created_at, s.id",
    )},
    'reveal', (select jsonb_build_object('reveal_at', r.reveal_at, 'time_zone', r.time_zone, 'revealed', r.revealed)
      from reveals r where r.memory_id = m.id),
    'comments', ${listOf(
      `jsonb_build_object('id', c.id, 'media_id', c.media_id, 'parent_id', c.parent_id, 'prompt_id', c.prompt_id, 'body', coalesce(
          (select n.words from comment_credits n where n.comment_id = c.id), c.body), 'moderation', c.moderation,
        'created_at', c.created_at, 'edited_at', c.edited_at, 'deleted_at', c.deleted_at,
        'author', ${author("c", "comment_id", "comment_credits")})`,
      "comments c where c.memory_id = m.id and c.moderation <> 'deleted'",
      "c.created_at, c.id",
    )},
    'reactions', ${listOf(
      `jsonb_build_object('kind', r.kind, 'media_id', r.media_id, 'comment_id', r.comment_id, 'moderation', r.moderation, 'created_at', r.created_at,
        'author', ${author("r", "reaction_id", "reaction_credits")})`,
      "reactions r where r.memory_id = m.id and r.moderation <> 'deleted'",
      "r.created_at, r.id",
    )},
    'links', ${listOf(LINK, `share_links l where l.memory_id = m.id and ${TAKEN_LINKS}`, "l.created_at, l.label")},
    'reminders', ${listOf("r.occasion", "memory_reminders r where r.memory_id = m.id", "r.occasion")}) as row
  from memories m where m.user_id = auth.uid() order by m.created_at, m.id`;

interface ReadObject {
  id: string;
  bucket: string;
  version: string;
  name: string;
  metadata: { mimetype: string; size: number; sha256?: string; crc32?: number };
  user_metadata: Record<string, unknown>;
  access: StoredFile["access"];
}
type ReadMemory = Omit<ExportedAccount["memories"][number], "media"> & {
  media: (Omit<ExportedAccount["memories"][number]["media"][number], "file" | "poster"> & {
    object: ReadObject;
    poster: ReadObject | null;
  })[];
};

/** Reads the caller's memories with all contributions, under the row policies. The export contains no email address. */
export async function readAccount(db: Database, caller: Caller): Promise<AccountContents> {
  if (caller.role !== "authenticated" || !caller.sub) throw new RequestError("not_signed_in");
  const [albums, memories] = await asCaller(db, caller, async (tx) => {
    const read = async <Row>(statement: string) => (await tx.query<{ row: Row }>(statement)).rows.map(({ row }) => row);
    return [await read<ExportedAccount["albums"][number]>(ALBUMS), await read<ReadMemory>(MEMORIES)] as const;
  });
  const files: AccountContents["files"] = [];
  const take = ({ id, bucket, version, name, metadata, user_metadata, access }: ReadObject, created: string) => {
    const path = `files/${bucket}/${id}${name.match(/\.\w+$/)?.[0] ?? ""}`;
    const { mimetype: type, size, sha256 = null, crc32 = null } = metadata;
    const object = { id, bucket, version, type, size, sha256, crc32, access };
    files.push({ path, at: created.slice(0, 19), file: { object, form: "original" } });
    return { path, metadata, user_metadata };
  };
  return {
    account: {
      format: ACCOUNT_FORMAT,
      version: 1,
      exported_at: new Date().toISOString(),
      albums,
      memories: memories.map(({ media, ...memory }) => ({
        ...memory,
        media: media.map(({ object, poster, ...item }) => ({
          ...item,
          file: take(object, item.created_at),
          poster: poster && take(poster, item.created_at),
        })),
      })),
    },
    files,
  };
}

/** The ZIP file of an account, once its files are measured. */
export function accountManifest({ account, files }: AccountContents, measured: Measured): Manifest {
  const at = account.exported_at.slice(0, 19);
  const stored = files.flatMap(({ path, at, file }) => {
    const measurement = measured.get(file);
    return measurement ? [storedEntry(`${FOLDER}/${path}`, at, file, measurement)] : [];
  });
  const { memories } = account;
  const texts = memories.flatMap(({ stories, comments }) =>
    [...stories, ...comments.filter(({ deleted_at }) => !deleted_at)].filter(
      ({ moderation }) => moderation === "shown",
    ),
  );
  return {
    name: `${FOLDER}-${at.slice(0, 10)}.zip`,
    memories: memories.map(({ id }) => id),
    told: texts.map(({ id }) => id),
    named: memories.map(({ id }) => id),
    files: memories.reduce((sum, { media }) => sum + media.length, 0),
    entries: withChecksums(FOLDER, at, [
      textEntry(`${FOLDER}/account.json`, at, JSON.stringify(account, null, 1)),
      ...stored,
    ]),
  };
}
