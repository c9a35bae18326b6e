import { randomUUID } from "node:crypto";
import type { ExportedAccount } from "../../shared/account-export.ts";
import type { Transaction } from "../database/database.ts";
import type { Facts } from "../supabase/storage/objects.ts";
import { writeLetters } from "./import-letters.ts";
import { writePeople } from "./import-people.ts";

type Memory = ExportedAccount["memories"][number];

/** An object whose bytes are stored already, but whose row is not. */
export interface StoredFile {
  id: string;
  bucket: string;
  name: string;
  version: string;
  mine: boolean;
  userMetadata: object;
  facts: Facts;
}

/** The id of a reply at the beginning of a text. */
const REPLY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?= )/;
/** The number of rows in one statement. */
const BATCH = 5000;

interface Writing {
  owner: string;
  account: ExportedAccount;
  stored: StoredFile[];
  idOf(old: string): string;
}

/** Writes the rows of an account whose files are stored. Other people's items get no account. */
export async function writeRows(tx: Transaction, { owner, account, stored, idOf }: Writing): Promise<void> {
  // Old content causes no notices, and its authors are written below, not by a trigger for each row.
  await tx.query("select set_config('skies.importing', 'on', true)");
  const inMemory = <Row extends object>(rowsOf: (memory: Memory) => Row[]) =>
    account.memories.flatMap((memory) => rowsOf(memory).map((row) => ({ ...row, memory_id: idOf(memory.id) })));
  const idOrNull = (id: string | null) => id && idOf(id);
  const whose = ({ mine }: { mine: boolean }) => (mine ? owner : null);
  const write = async (statement: string, rows: object[]) => {
    for (let at = 0; at < rows.length; at += BATCH) {
      await tx.query(statement, [JSON.stringify(rows.slice(at, at + BATCH))]);
    }
  };

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
    account.memories.map(({ media: _, people: __, ...memory }) => ({
      ...memory,
      id: idOf(memory.id),
      user_id: owner,
      album_id: idOrNull(memory.album_id),
    })),
  );
  // Open pages hear of the albums and memories. Nobody can have opened what is in them before the commit.
  await tx.query("select set_config('realtime.announces', 'off', true)");

  // Triggers create the rows of photos, videos and recordings, to which the other fields are added.
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
  await write(
    `insert into prompts (id, memory_id, text, suggestion, position, created_at)
     select p.id, p.memory_id, p.text, p.suggestion, p.position, p.created_at from jsonb_populate_recordset(null::prompts, $1) p`,
    inMemory((memory) => (memory.prompts ?? []).map((prompt) => ({ ...prompt, id: idOf(prompt.id) }))),
  );
  /** The new id of a prompt, if the file has the prompt. */
  const promptOf = (memory: Memory, id: string | null | undefined) =>
    id && memory.prompts?.some((prompt) => prompt.id === id) ? idOf(id) : null;
  const media = inMemory((memory) => {
    const photos = new Set<string | null>(memory.media.map(({ id }) => id));
    return memory.media.map(({ file: _, poster: __, names: ___, ...item }) => ({
      ...item,
      id: idOf(item.id),
      motion_of: photos.has(item.motion_of) ? idOrNull(item.motion_of) : null,
      prompt_id: promptOf(memory, item.prompt_id),
    }));
  });
  await write(
    `update media set caption = i.caption, alt_text = i.alt_text, position = i.position, is_cover = i.is_cover and media.type <> 'audio', created_at = i.created_at,
       taken_at = i.taken_at, moderation = case when i.moderation = 'attached' and i.motion_of is null then 'shown' else i.moderation end,
       motion_of = i.motion_of, is_back = case when i.is_back and (i.motion_of is null or media.type <> 'image') then null else i.is_back end,
       prompt_id = i.prompt_id, edit = case when media.type = 'image' and media.pages is null then i.edit end
     from jsonb_to_recordset($1) as i (edit jsonb, id uuid, caption text, alt_text text, position double precision, is_cover boolean, created_at timestamptz,
       taken_at text, moderation text, motion_of uuid, is_back boolean, prompt_id uuid) where media.id = i.id`,
    media,
  );
  // A trigger has marked the fronts by now.
  await write(
    `update media set back_text = i.back_text from jsonb_to_recordset($1) as i (id uuid, back_text text)
     where media.id = i.id and media.has_back and i.back_text <> ''`,
    media,
  );
  await write(
    `update media set motion = 'waiting' where id in (
       select v.motion_of from jsonb_to_recordset($1) as i (id uuid) join media v using (id) where v.type = 'video')`,
    media,
  );
  await write(
    `update media_details d set taken_source = i.taken_source, file_taken_at = i.file_taken_at, file_taken_source = i.file_taken_source
     from jsonb_to_recordset($1) as i (id uuid, taken_source text, file_taken_at text, file_taken_source text)
     where d.media_id = i.id`,
    media,
  );

  const slideshows = inMemory((memory) =>
    (memory.slideshows ?? []).map(({ photos, music_id, ...slideshow }) => ({
      ...slideshow,
      id: randomUUID(),
      music_id: idOrNull(music_id),
      photos: photos.map(idOf),
    })),
  );
  await write(
    `insert into slideshows (id, memory_id, title, pace, shows_captions, music_id, music_is_allowed, created_at)
     select s.id, s.memory_id, s.title, s.pace, s.shows_captions, m.id, s.music_is_allowed, s.created_at
     from jsonb_populate_recordset(null::slideshows, $1) s
     left join media m on m.id = s.music_id and m.memory_id = s.memory_id and m.type = 'audio' and m.moderation = 'shown' and s.music_is_allowed`,
    slideshows,
  );
  await write(
    `insert into slideshow_items (slideshow_id, media_id, position)
     select s.id, m.id, min(p.place) from jsonb_to_recordset($1) as s (id uuid, memory_id uuid, photos uuid[]),
       unnest(s.photos) with ordinality as p (id, place) join media m on m.id = p.id
     where m.memory_id = s.memory_id and m.type = 'image' and m.pages is null group by s.id, m.id`,
    slideshows,
  );
  const storedIds = new Set(stored.map(({ id }) => id));
  await writePeople(write, account, idOf, storedIds);
  await writeLetters(write, { account, owner, idOf, storedIds });

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
  const entries = inMemory((memory) =>
    memory.entries.map((entry) => ({
      ...entry,
      id: entry.id ? idOf(entry.id) : randomUUID(),
      media_id: idOrNull(entry.media_id),
    })),
  );
  await write(
    `insert into memory_entries (id, memory_id, on_date, starts_at, title, place, note, media_id, created_at, part, time_zone, doors_at, ends_at,
       address, map_url, directions, parking, accessibility, dress, gifts, gifts_url, contact, audience, stream_from, asks_replies)
     select e.id, e.memory_id, e.on_date, e.starts_at, e.title, e.place, e.note, (select m.id from media m where m.id = e.media_id),
       e.created_at, e.part, e.time_zone, e.doors_at, e.ends_at, coalesce(e.address, ''), coalesce(e.map_url, ''),
       coalesce(e.directions, ''), coalesce(e.parking, ''), coalesce(e.accessibility, ''), coalesce(e.dress, ''), coalesce(e.gifts, ''),
       coalesce(e.gifts_url, ''), coalesce(e.contact, ''), coalesce(e.audience, 'all'), e.stream_from,
       coalesce(e.asks_replies, false)
     from jsonb_populate_recordset(null::memory_entries, $1) e`,
    entries,
  );
  await write(
    `insert into entry_streams (entry_id, url)
     select s.id, s.stream_url from jsonb_to_recordset($1) as s (id uuid, stream_url text) where s.stream_url <> ''`,
    entries,
  );
  await write(
    `insert into day_reply_settings (memory_id, closes_at, time_zone, places, waiting_list, questions)
     select s.memory_id, s.closes_at, s.time_zone, s.places, s.waiting_list, s.questions
     from jsonb_populate_recordset(null::day_reply_settings, $1) s`,
    inMemory((memory) => (memory.day_reply_settings ? [memory.day_reply_settings] : [])),
  );
  await write(
    `insert into reveals (memory_id, reveal_at, time_zone, revealed)
     select r.memory_id, r.reveal_at, r.time_zone, r.revealed from jsonb_populate_recordset(null::reveals, $1) r`,
    inMemory((memory) => (memory.reveal ? [memory.reveal] : [])),
  );
  await write(
    `insert into day_replies (id, memory_id, user_id, answer, names, part_ids, note, answers, most, waiting_since, created_at, updated_at)
     select r.id, r.memory_id, r.user_id, r.answer, r.names, r.part_ids, r.note, r.answers, r.most, r.waiting_since, r.created_at,
       r.updated_at from jsonb_populate_recordset(null::day_replies, $1) r`,
    inMemory((memory) =>
      (memory.day_replies ?? []).map((reply) => ({
        ...reply,
        id: idOf(reply.id),
        user_id: whose(reply),
        part_ids: reply.part_ids.map(idOf),
      })),
    ),
  );

  await write(
    `insert into memory_prints (memory_id, title, words, hint, place_words, design, extra_names, left_out)
     select p.memory_id, p.title, p.words, p.hint, p.place_words, p.design, p.extra_names, p.left_out
     from jsonb_populate_recordset(null::memory_prints, $1) p`,
    inMemory(({ memory_prints: prints }) =>
      prints ? [{ ...prints, left_out: prints.left_out.map((key) => key.replace(REPLY, idOf)) }] : [],
    ),
  );

  await write(
    `insert into memory_services (memory_id, heading, closing, items)
     select s.memory_id, s.heading, s.closing, s.items from jsonb_populate_recordset(null::memory_services, $1) s`,
    inMemory(({ memory_services: service }) => (service ? [service] : [])),
  );

  const aboutWhatIsHere = ({ media_id }: { media_id: string | null }) => !media_id || storedIds.has(idOf(media_id));
  const comments = inMemory((memory) =>
    inThreads(memory.comments)
      .filter(aboutWhatIsHere)
      .map((comment) => ({
        ...comment,
        id: idOf(comment.id),
        media_id: idOrNull(comment.media_id),
        parent_id: idOrNull(comment.parent_id),
        prompt_id: comment.media_id || comment.parent_id ? null : promptOf(memory, comment.prompt_id),
        user_id: whose(comment.author),
      })),
  );
  // First comments come before their replies, because foreign keys are checked after each statement.
  await write(
    `insert into comments (id, memory_id, media_id, parent_id, prompt_id, user_id, body, moderation, created_at, edited_at, deleted_at)
     select c.id, c.memory_id, c.media_id, c.parent_id, c.prompt_id, c.user_id, c.body, c.moderation, c.created_at, c.edited_at, c.deleted_at
     from jsonb_populate_recordset(null::comments, $1) c`,
    comments.toSorted((a, b) => Number(a.parent_id !== null) - Number(b.parent_id !== null)),
  );
  const isSaid = new Set(comments.map(({ id }) => id));
  const reactions = inMemory((memory) =>
    memory.reactions
      .filter(
        (reaction) => aboutWhatIsHere(reaction) && (!reaction.comment_id || isSaid.has(idOf(reaction.comment_id))),
      )
      .map((reaction) => ({
        ...reaction,
        id: randomUUID(),
        media_id: idOrNull(reaction.media_id),
        comment_id: idOrNull(reaction.comment_id),
        user_id: whose(reaction.author),
      })),
  );
  await write(
    `insert into reactions (id, memory_id, media_id, comment_id, user_id, kind, moderation, created_at)
     select r.id, r.memory_id, r.media_id, r.comment_id, r.user_id, r.kind, r.moderation, r.created_at
     from jsonb_populate_recordset(null::reactions, $1) r`,
    reactions,
  );
  // A trigger has named the owner as the author of their photos.
  await tx.query("delete from media_credits where media_id = any ($1)", [media.map(({ id }) => id)]);
  for (const [kind, rows] of Object.entries({ media, story: stories, comment: comments, reaction: reactions })) {
    const credits = rows.map(({ id, memory_id, author }) => ({ id, memory_id, name: author.name }));
    await write(
      ADD_CREDITS[kind as keyof typeof ADD_CREDITS],
      credits.filter(({ name }) => name !== ""),
    );
  }

  const links = [
    ...inMemory(({ links }) => links),
    ...account.albums.flatMap((album) => album.links.map((link) => ({ ...link, album_id: idOf(album.id) }))),
  ];
  await write(
    `update share_links l set label = i.label, rights = i.rights, expires_at = i.expires_at, allows_download = i.allows_download,
       moderated = i.moderated, shows_names = i.shows_names, preview = coalesce(i.preview, l.preview), created_at = i.created_at
     from jsonb_populate_recordset(null::share_links, $1) i where l.memory_id = i.memory_id and l.is_first`,
    links.filter(({ is_first }) => is_first),
  );
  await write(
    `insert into share_links (memory_id, album_id, shared_at, label, rights, expires_at, allows_download, moderated, shows_names, preview, created_at)
     select i.memory_id, i.album_id, null, i.label, i.rights, i.expires_at, i.allows_download, i.moderated, i.shows_names, coalesce(i.preview, 'name'), i.created_at
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
      .filter(({ cover_media_id }) => cover_media_id && storedIds.has(idOf(cover_media_id)))
      .map(({ id, cover_media_id }) => ({ id: idOf(id), cover_media_id: idOrNull(cover_media_id) })),
  );
}

// One statement per table, because a table's name cannot be a parameter.
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

type Comment = Memory["comments"][number];

/** Replies have no replies. A damaged file may have chains of them, or circles. */
const MOST_LEVELS = 100;

/**
 * Returns a memory's comments as threads of two levels, like the trigger for comments of callers: a reply belongs to the
 * first comment of its thread, and is about the same photo. Without such a comment it starts a thread.
 */
function inThreads(comments: Comment[]): Comment[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const firstOf = (comment: Comment): Comment => {
    let first = comment;
    for (let level = 0; level < MOST_LEVELS; level += 1) {
      const parent = byId.get(first.parent_id ?? "");
      if (!parent) return first;
      first = parent;
    }
    return comment;
  };
  return comments.map((comment) => {
    const first = firstOf(comment);
    return first === comment
      ? { ...comment, parent_id: null }
      : { ...comment, parent_id: first.id, media_id: first.media_id };
  });
}
