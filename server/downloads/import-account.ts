import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { ExportedAccount } from "../../shared/account-export.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import { ObjectStorageError } from "../files/object-store.ts";
import { from } from "../files/uploads/write-part.ts";
import { checkHtml, cleanHtml } from "../html/html.ts";
import { inspect } from "../supabase/storage/finalize-upload.ts";
import type { Bucket, Facts } from "../supabase/storage/objects.ts";
import { discardBytes } from "../supabase/storage/remove-bytes.ts";

/** An error for the person who imports an account. */
export class ImportError extends Error {}

interface Deps {
  db: Database;
  files: Files;
}

/** The opened ZIP file of an account. */
export interface OpenedExport {
  /** The content of `account.json`. */
  text: string;
  /** A file by its relative path; undefined if missing. */
  open(path: string): Readable | undefined;
}

export interface Imported {
  memories: number;
  files: number;
  /** Paths of missing or damaged files; their items are left out. */
  leftOut: string[];
}

type Memory = ExportedAccount["memories"][number];
type Item = Memory["media"][number];
type ExportedFile = Item["file"];

/** An object whose bytes are stored already, but whose row is not. */
interface StoredFile {
  id: string;
  bucket: string;
  name: string;
  version: string;
  mine: boolean;
  userMetadata: object;
  facts: Facts;
}

/**
 * Imports an account of another installation into the account with this address: first the bytes, then all rows in one
 * transaction. Everything gets new ids, so that existing content is never replaced. Other people become names without
 * accounts.
 */
export async function importAccount(
  { db, files }: Deps,
  email: string,
  { text, open }: OpenedExport,
): Promise<Imported> {
  const account = readExport(text);
  const { rows } = await db.query<{ id: string }>("select id from auth.users where lower(email) = lower($1)", [email]);
  const owner = rows[0]?.id;
  if (!owner) throw new ImportError(`Nobody has an account with the address ${email}. Let them sign up first.`);
  const renamed = new Map<string, string>();
  const idOf = (old: string) => {
    const known = renamed.get(old) ?? randomUUID();
    renamed.set(old, known);
    return known;
  };
  const { rows: buckets } = await db.query<Bucket>(
    "select id, file_size_limit, allowed_mime_types from storage.buckets",
  );
  const leftOut: string[] = [];
  const stored: StoredFile[] = [];
  const keep = async (
    { path, metadata, user_metadata }: ExportedFile,
    kept: Omit<StoredFile, "facts" | "userMetadata">,
  ) => {
    const bucket = buckets.find(({ id }) => id === kept.bucket);
    const bytes = open(path);
    const facts = bucket && bytes && (await takeIn({ db, files }, bucket, kept.version, bytes, metadata));
    if (facts) stored.push({ ...kept, facts, userMetadata: user_metadata });
    else leftOut.push(path);
    return facts !== undefined;
  };
  for (const memory of account.memories) {
    const here: Item[] = [];
    for (const item of memory.media) {
      const id = idOf(item.id);
      const ending = item.file.path.match(/\.\w{1,8}$/)?.[0] ?? "";
      const name = `${idOf(memory.id)}/${id}${ending}`;
      const { mine } = item.author;
      if (!(await keep(item.file, { id, bucket: "media", name, version: randomUUID(), mine }))) continue;
      here.push(item);
      const poster = { id: randomUUID(), bucket: "posters", name: `${name}.jpg`, version: randomUUID(), mine };
      if (item.poster) await keep(item.poster, poster);
    }
    memory.media = here;
    // An export from another installation is untrusted: its HTML is sanitised like any input.
    const clean = (html: string) => {
      checkHtml([html]);
      return cleanHtml(html.replace(ID, (id) => renamed.get(id) ?? id));
    };
    memory.description = clean(memory.description);
    for (const story of memory.stories) story.body = clean(story.body);
  }
  await db
    .transaction((tx) => writeRows(tx, { owner, account, stored, idOf }))
    .catch(async (error: unknown) => {
      await discardBytes({ db, files }, stored);
      throw error;
    });
  return { memories: account.memories.length, files: stored.length, leftOut };
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Stores a file like an upload, with the type of its content. Undefined if it is damaged or of an unsupported type. */
async function takeIn(
  { db, files }: Deps,
  bucket: Bucket,
  version: string,
  bytes: Readable,
  { sha256, cacheControl = "" }: ExportedFile["metadata"],
): Promise<Facts | undefined> {
  const key = { bucket: bucket.id, version };
  try {
    await files.incoming.write(key, from(bytes), { begins: true });
    const facts = await inspect(files, { bucket, version, cacheControl: cacheControl.replace(/^max-age=/, "") });
    if (sha256 === undefined || facts.sha256 === sha256) {
      await files.incoming.keep(key);
      return facts;
    }
  } catch (error) {
    await discardBytes({ db, files }, [key]);
    if (error instanceof ObjectStorageError || (error as NodeJS.ErrnoException).syscall) throw error;
    return undefined;
  }
  await discardBytes({ db, files }, [key]);
}

function readExport(text: string): ExportedAccount {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new ImportError("The file account.json is damaged.");
  }
  const { data, error } = ExportedAccount.safeParse(content);
  if (data) return data;
  const [issue] = error.issues;
  throw new ImportError(
    `This is no account of Skies, or of a later version: ${issue?.path.join(".")} ${issue?.message}.`,
  );
}

interface Writing {
  owner: string;
  account: ExportedAccount;
  stored: StoredFile[];
  idOf(old: string): string;
}

async function writeRows(tx: Transaction, { owner, account, stored, idOf }: Writing) {
  const inMemory = <Row extends object>(rowsOf: (memory: Memory) => Row[]) =>
    account.memories.flatMap((memory) => rowsOf(memory).map((row) => ({ ...row, memory_id: idOf(memory.id) })));
  const known = (id: string | null) => id && idOf(id);
  const whose = ({ mine }: { mine: boolean }) => (mine ? owner : null);
  const write = (statement: string, rows: object[]) => tx.query(statement, [JSON.stringify(rows)]);

  await write(
    `insert into albums (id, user_id, name, position, created_at)
     select id, user_id, name, position, created_at from jsonb_to_recordset($1) as a (id uuid, user_id uuid, name text, position integer, created_at timestamptz)`,
    account.albums.map((album) => ({ ...album, id: idOf(album.id), user_id: owner })),
  );
  await write(
    `insert into memories (id, user_id, kind, person_name, description, birth_date, passing_date, event_date, draft, created_at,
       album_id, album_position, cover_x, cover_y, media_order)
     select m.id, m.user_id, m.kind, m.person_name, m.description, m.birth_date, m.passing_date, m.event_date, m.draft, m.created_at,
       m.album_id, m.album_position, m.cover_x, m.cover_y, m.media_order from jsonb_populate_recordset(null::memories, $1) m`,
    account.memories.map(({ media: _, ...memory }) => ({
      ...memory,
      id: idOf(memory.id),
      user_id: owner,
      album_id: known(memory.album_id),
    })),
  );

  // Triggers create the rows of photos and videos, to which the other fields are added.
  await write(
    `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
     select id, bucket, name, owner, owner::text, version, metadata, user_metadata from jsonb_to_recordset($1)
       as o (id uuid, bucket text, name text, owner uuid, version text, metadata jsonb, user_metadata jsonb)`,
    stored.map(({ facts, userMetadata, mine, ...object }) => ({
      ...object,
      owner: whose({ mine }),
      metadata: facts,
      user_metadata: userMetadata,
    })),
  );
  const media = inMemory((memory) =>
    memory.media.map(({ file: _, poster: __, ...item }) => ({
      ...item,
      id: idOf(item.id),
      motion_of: memory.media.some(({ id }) => id === item.motion_of) ? known(item.motion_of) : null,
    })),
  );
  await write(
    `update media set caption = i.caption, alt_text = i.alt_text, position = i.position, is_cover = i.is_cover, created_at = i.created_at,
       taken_at = i.taken_at, moderation = case when i.moderation = 'attached' and i.motion_of is null then 'shown' else i.moderation end,
       motion_of = i.motion_of
     from jsonb_to_recordset($1) as i (id uuid, caption text, alt_text text, position double precision, is_cover boolean, created_at timestamptz,
       taken_at text, moderation text, motion_of uuid) where media.id = i.id`,
    media,
  );
  await write(
    `update media set motion = 'waiting' where id in (select motion_of from jsonb_to_recordset($1) as i (motion_of uuid))`,
    media,
  );
  await write(
    `update media_details d set taken_source = i.taken_source, file_taken_at = i.file_taken_at, file_taken_source = i.file_taken_source
     from jsonb_to_recordset($1) as i (id uuid, taken_source text, file_taken_at text, file_taken_source text)
     where d.media_id = i.id`,
    media,
  );

  const stories = inMemory((memory) =>
    memory.stories.map((story) => ({ ...story, id: idOf(story.id), user_id: whose(story.author) })),
  );
  await write(
    `insert into stories (id, memory_id, user_id, title, body, moderation, created_at)
     select s.id, s.memory_id, s.user_id, s.title, s.body, s.moderation, s.created_at
     from jsonb_populate_recordset(null::stories, $1) s`,
    stories,
  );
  await write(
    `update stories set position = s.position from jsonb_to_recordset($1) as s (id uuid, position integer)
     where stories.id = s.id`,
    stories,
  );
  await write(
    `insert into memory_entries (memory_id, on_date, starts_at, title, place, note, media_id, created_at)
     select e.memory_id, e.on_date, e.starts_at, e.title, e.place, e.note, (select m.id from media m where m.id = e.media_id), e.created_at
     from jsonb_populate_recordset(null::memory_entries, $1) e`,
    inMemory(({ entries }) => entries.map((entry) => ({ ...entry, media_id: known(entry.media_id) }))),
  );

  const isHere = new Set(stored.map(({ id }) => id));
  const aboutWhatIsHere = ({ media_id }: { media_id: string | null }) => !media_id || isHere.has(idOf(media_id));
  const comments = inMemory((memory) =>
    memory.comments.filter(aboutWhatIsHere).map((comment) => ({
      ...comment,
      id: idOf(comment.id),
      media_id: known(comment.media_id),
      parent_id: known(comment.parent_id),
      user_id: whose(comment.author),
    })),
  );
  // Comments come before their answers.
  for (const some of [comments.filter((one) => !one.parent_id), comments.filter((one) => one.parent_id)]) {
    await write(
      `insert into comments (id, memory_id, media_id, parent_id, user_id, body, moderation, created_at, edited_at, deleted_at)
       select c.id, c.memory_id, c.media_id, c.parent_id, c.user_id, c.body, c.moderation, c.created_at, c.edited_at, c.deleted_at
       from jsonb_populate_recordset(null::comments, $1) c`,
      some,
    );
  }
  const isSaid = new Set(comments.map(({ id }) => id));
  const reactions = inMemory((memory) =>
    memory.reactions
      .filter(
        (reaction) => aboutWhatIsHere(reaction) && (!reaction.comment_id || isSaid.has(idOf(reaction.comment_id))),
      )
      .map((reaction) => ({
        ...reaction,
        id: randomUUID(),
        media_id: known(reaction.media_id),
        comment_id: known(reaction.comment_id),
        user_id: whose(reaction.author),
      })),
  );
  await write(
    `insert into reactions (id, memory_id, media_id, comment_id, user_id, kind, moderation, created_at)
     select r.id, r.memory_id, r.media_id, r.comment_id, r.user_id, r.kind, r.moderation, r.created_at
     from jsonb_populate_recordset(null::reactions, $1) r`,
    reactions,
  );
  for (const [kind, rows] of Object.entries({ media, story: stories, comment: comments, reaction: reactions })) {
    await nameAuthors(tx, kind as keyof typeof ADD_CREDITS, rows);
  }

  const links = [
    ...inMemory(({ links }) => links),
    ...account.albums.flatMap((album) => album.links.map((link) => ({ ...link, album_id: idOf(album.id) }))),
  ];
  await write(
    `update share_links l set label = i.label, rights = i.rights, expires_at = i.expires_at, allows_download = i.allows_download,
       moderated = i.moderated, shows_names = i.shows_names, created_at = i.created_at
     from jsonb_populate_recordset(null::share_links, $1) i where l.memory_id = i.memory_id and l.is_first`,
    links.filter(({ is_first }) => is_first),
  );
  await write(
    `insert into share_links (memory_id, album_id, shared_at, label, rights, expires_at, allows_download, moderated, shows_names, created_at)
     select i.memory_id, i.album_id, null, i.label, i.rights, i.expires_at, i.allows_download, i.moderated, i.shows_names, i.created_at
     from jsonb_populate_recordset(null::share_links, $1) i`,
    links.filter(({ is_first }) => !is_first),
  );
  await write(
    `insert into memory_reminders (memory_id, occasion)
     select memory_id, occasion from jsonb_to_recordset($1) as r (memory_id uuid, occasion text)`,
    inMemory(({ reminders }) => reminders.map((occasion) => ({ occasion }))),
  );
  await write(
    `update albums set cover_media_id = a.cover_media_id from jsonb_to_recordset($1) as a (id uuid, cover_media_id uuid)
     where albums.id = a.id`,
    account.albums
      .filter(({ cover_media_id }) => cover_media_id && isHere.has(idOf(cover_media_id)))
      .map(({ id, cover_media_id }) => ({ id: idOf(id), cover_media_id: known(cover_media_id) })),
  );
  // An import creates no notices.
  await write(
    `delete from notices where memory_id in (select id from jsonb_to_recordset($1) as m (id uuid))`,
    account.memories.map(({ id }) => ({ id: idOf(id) })),
  );
}

// One statement per table, because a table's name cannot be a parameter.
const REMOVE_CREDITS = {
  media: "delete from media_credits where media_id = any ($1)",
  story: "delete from story_credits where story_id = any ($1)",
  comment: "delete from comment_credits where comment_id = any ($1)",
  reaction: "delete from reaction_credits where reaction_id = any ($1)",
} as const;
const ADD_CREDITS = {
  media:
    "insert into media_credits (media_id, memory_id, name) select id, memory_id, name from jsonb_to_recordset($1) as c (id uuid, memory_id uuid, name text)",
  story:
    "insert into story_credits (story_id, memory_id, name) select id, memory_id, name from jsonb_to_recordset($1) as c (id uuid, memory_id uuid, name text)",
  comment:
    "insert into comment_credits (comment_id, memory_id, name) select id, memory_id, name from jsonb_to_recordset($1) as c (id uuid, memory_id uuid, name text)",
  reaction:
    "insert into reaction_credits (reaction_id, memory_id, name) select id, memory_id, name from jsonb_to_recordset($1) as c (id uuid, memory_id uuid, name text)",
} as const;

/** Replaces the author names that triggers wrote by the original names. */
async function nameAuthors(
  tx: Transaction,
  kind: keyof typeof ADD_CREDITS,
  rows: { id: string; memory_id: string; author: { name: string } }[],
) {
  await tx.query(REMOVE_CREDITS[kind], [rows.map(({ id }) => id)]);
  const named = rows.filter(({ author }) => author.name !== "");
  await tx.query(ADD_CREDITS[kind], [
    JSON.stringify(named.map(({ id, memory_id, author }) => ({ id, memory_id, name: author.name }))),
  ]);
}
