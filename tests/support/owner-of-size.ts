import { randomUUID } from "node:crypto";
import type { Database } from "../../server/database/database.ts";
import { givePlan } from "./plans.ts";
import type { TestServer } from "./server.ts";
import { type Owner, ownerOf } from "./sharing.ts";

/** What an owner has. A fifth of the photos are in the first memory; a tenth, and some memories, are in the trash. */
export interface OwnerSize {
  memories: number;
  media: number;
  /** Rows of each other kind: stories, comments, notices, members, links, orders, cards … */
  others: number;
}

/** An owner with ids of their rows. The memory and the album are the largest ones. */
export interface SizedOwner extends Owner {
  albumId: string;
  mediaId: string;
  orderId: string;
  /** A person in the photos of the largest memory, about whom another memory is. */
  personId: string;
  email: string;
}

/** Statements that fill the tables of an owner: `$1` is the owner, `$2` a number. */
const MEMORIES = `insert into memories (user_id, person_name, kind, album_id, album_position, created_at, birth_date, draft)
  select $1::uuid, 'No. ' || i, case i % 2 when 0 then 'event' else 'tribute' end, $3, i, now() - make_interval(hours => i), '1930-05-04', false
  from generate_series(2, $2::integer) i`;

/** Numbers the owner's memories; the first one is the oldest and the largest. */
const NUMBERED = `(select id, (row_number() over (order by created_at))::integer - 1 as place, (count(*) over ())::integer as many
  from memories where user_id = $1::uuid)`;

const MEDIA = [
  `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, created_at)
   select md5($1::uuid::text || n)::uuid, 'media', m.id || '/' || n || '.jpg', $1::uuid, $1::uuid::text, gen_random_uuid()::text,
     jsonb_build_object('mimetype', 'image/jpeg', 'size', 1000 + n), now() - make_interval(mins => n)
   from generate_series(1, $2::integer) n
   join ${NUMBERED} m on m.place = case n % 5 when 0 then 0 else n % m.many end`,
  `insert into media (id, memory_id, type, size, object_name, state, placeholder, colour, width, height, taken_at, created_at, moderation, is_cover)
   select o.id, left(o.name, 36)::uuid, 'image', (o.metadata ->> 'size')::bigint, o.name, 'ready', 'data:image/webp;base64,' || repeat('x', 120),
     '#aabbcc', 4000, 3000, '1974-05-06', o.created_at,
     case when hashtext(o.name) % 10 = 0 then 'deleted' else 'shown' end,
     -- The newest photo of most memories is their cover.
     hashtext(o.name) % 10 <> 0 and o.name = (select x.name from storage.objects x
       where x.bucket_id = 'media' and x.name ~>=~ left(o.name, 37) and x.name ~<~ (left(o.name, 36) || '0') order by x.created_at desc limit 1)
   from storage.objects o where o.owner = $1::uuid`,
  `insert into media_details (media_id, memory_id, user_id, file_name, mime_type, taken_at, in_trash)
   select m.id, m.memory_id, $1::uuid, 'IMG ' || m.id || '.jpg', 'image/jpeg', '1974-05-06T10:00:00', m.moderation = 'deleted'
   from media m join storage.objects o on o.id = m.id where o.owner = $1::uuid`,
  `insert into media_credits (media_id, memory_id, name)
   select m.id, m.memory_id, 'Ada' from media m join storage.objects o on o.id = m.id where o.owner = $1::uuid`,
  `insert into trash (kind, id, memory_id, deleted_by, deleted_at, was)
   select 'media', m.id, m.memory_id, $1::uuid, now() - make_interval(secs => abs(hashtext(m.object_name)) % 100000), '{"moderation": "shown"}'
   from media m join storage.objects o on o.id = m.id where o.owner = $1::uuid and m.moderation = 'deleted'`,
  `update memories m set deleted_at = now(), draft = true from ${NUMBERED} n where n.id = m.id and n.place % 25 = 7`,
  `insert into trash (kind, id, memory_id, deleted_by, was)
   select 'memory', id, id, $1::uuid, '{"draft": false}' from memories where user_id = $1::uuid and deleted_at is not null`,
  "update trash set account = $1::uuid where deleted_by = $1::uuid",
  `insert into private.account_use (account, stored)
   select $1::uuid, sum((metadata ->> 'size')::bigint) from storage.objects where owner = $1::uuid
   on conflict (account) do update set stored = excluded.stored`,
];

/** Of each other kind a row in some memory, most of them in the first one. */
const OF_MEMORY = `generate_series(1, $2::integer) n join ${NUMBERED} m on m.place = case n % 3 when 0 then n % m.many else 0 end`;
/** The first of each 20 photos of a memory, so that a small owner has one, too. */
const EVERY_20TH = `(select m.*, row_number() over (partition by m.memory_id order by m.id) % 20 = 1 as is_chosen from media m
   join storage.objects o on o.id = m.id and o.owner = $1::uuid where m.type = 'image') m where m.is_chosen`;
const OTHERS = [
  `insert into auth.users (id, email, email_confirmed_at) select md5('other' || $1::uuid::text || n)::uuid, 'other' || n || '-' || $1::uuid::text || '@example.com', now()
   from generate_series(1, $2::integer) n`,
  `insert into profiles (id, full_name) select md5('other' || $1::uuid::text || n)::uuid, 'Other ' || n from generate_series(1, $2::integer) n
   on conflict do nothing`,
  `insert into memory_members (memory_id, user_id, role, created_at)
   select m.id, md5('other' || $1::uuid::text || n)::uuid, 'viewer', now() - make_interval(mins => n) from ${OF_MEMORY}`,
  `insert into private.member_names (memory_id, user_id, role, name)
   select p.memory_id, p.user_id, p.role, private.name_of(p.user_id) from memory_members p
   join memories m on m.id = p.memory_id and m.user_id = $1::uuid`,
  `insert into stories (id, memory_id, user_id, title, body, created_at)
   select md5('story' || $1::uuid::text || n)::uuid, m.id, $1::uuid, 'Story ' || n, '<p>Then.</p>', now() - make_interval(mins => 7 * n) from ${OF_MEMORY}`,
  `insert into story_credits (story_id, memory_id, name) select id, memory_id, 'Ada' from stories where user_id = $1::uuid`,
  `insert into comments (id, memory_id, user_id, body, created_at)
   select md5('comment' || $1::uuid::text || n)::uuid, m.id, $1::uuid, 'Comment ' || n, now() - make_interval(mins => n) from ${OF_MEMORY}`,
  `insert into comment_credits (comment_id, memory_id, name) select id, memory_id, 'Ada' from comments where user_id = $1::uuid`,
  `insert into reactions (memory_id, comment_id, user_id, kind)
   select memory_id, id, $1::uuid, 'heart' from comments where user_id = $1::uuid`,
  `insert into memory_entries (memory_id, on_date, title) select m.id, '1974-05-06', 'Entry ' || n from ${OF_MEMORY}`,
  `insert into pictured_people (memory_id, name) select m.id, 'Person ' || n from ${OF_MEMORY}`,
  `insert into media_names (media_id, person_id, memory_id, x, y)
   select m.id, p.id, m.memory_id, 0.5, 0.5 from media m join storage.objects o on o.id = m.id and o.owner = $1::uuid
   cross join lateral (select p.id from pictured_people p where p.memory_id = m.memory_id
     order by md5(p.id::text || m.id) limit 2) p`,
  `insert into day_reply_settings (memory_id) select distinct m.id from ${OF_MEMORY}`,
  `insert into memory_prints (memory_id) select distinct m.id from ${OF_MEMORY}`,
  `insert into memory_services (memory_id) select distinct m.id from ${OF_MEMORY}`,
  `insert into slideshows (id, memory_id, title) select md5('slideshow' || m.id)::uuid, m.id, 'Years' from (select distinct m.id from ${OF_MEMORY}) m`,
  `insert into slideshow_items (slideshow_id, media_id, position)
   select s.id, m.id, least(300, row_number() over (partition by s.id order by m.id)) from slideshows s join media m on m.memory_id = s.memory_id
   and m.type = 'image' join storage.objects o on o.id = m.id and o.owner = $1::uuid where s.id = md5('slideshow' || m.memory_id)::uuid
   and hashtext(m.id::text) % 50 = 0`,
  `insert into day_replies (memory_id, answer, names, part_ids)
   select m.id, 'yes', array['Guest ' || n], array[md5('part' || n)::uuid] from ${OF_MEMORY}`,
  `insert into photo_letters (id, memory_id, asker_id, recipient, media_ids, created_at)
   select md5('letter' || m.id)::uuid, m.memory_id, $1::uuid, 'Aunt May', array[m.id], m.created_at from ${EVERY_20TH}`,
  `insert into photo_answers (letter_id, memory_id, media_id, about, answer)
   select l.id, l.memory_id, l.media_ids[1], 'when', 'about 1962' from photo_letters l where l.asker_id = $1::uuid`,
  `insert into picture_requests (media_id, memory_id, wish, words, created_at)
   select m.id, m.memory_id, 'blur', 'On the left', m.created_at from ${EVERY_20TH}`,
  `insert into pictured_identities (person_id, memory_id)
   select p.id, m.id from ${NUMBERED} m join lateral (select p.id from pictured_people p where p.memory_id = m.id order by p.id limit 1) p on true`,
  `insert into who_questions (media_id, memory_id) select m.id, m.memory_id from media m join storage.objects o on o.id = m.id
   and o.owner = $1::uuid where hashtext(m.id::text) % 3 = 0`,
  `insert into memory_reminders (memory_id, occasion) select distinct m.id, 'birthday' from ${OF_MEMORY}`,
  `insert into share_links (memory_id, for_card, rights, created_at, label)
   select m.id, n % 2 = 0, case n % 5 when 0 then 'upload' else 'view' end, now() + make_interval(mins => n), 'Link ' || n from ${OF_MEMORY}`,
  `insert into invitations (memory_id, email, role, invited_by, created_at)
   select m.id, 'invited' || n || '@example.com', 'viewer', $1::uuid, now() - make_interval(mins => n) from ${OF_MEMORY}`,
  `insert into albums (user_id, name, position) select $1::uuid, 'Album ' || n, n from generate_series(2, $2::integer) n`,
  `insert into notices (user_id, memory_id, kind, created_at, email_due_since)
   select $1::uuid, m.id, 'comment', now() - make_interval(mins => n), now() from ${OF_MEMORY}`,
  `insert into orders (user_id, email, number, status, currency, subtotal, total, created_at, paid_at)
   select $1::uuid, 'ada@example.com', left($1::uuid::text, 8) || n, 'paid', 'GBP', 4500, 4500, now() - make_interval(hours => n), now() - make_interval(hours => n)
   from generate_series(1, $2::integer) n`,
  `insert into order_items (order_id, kind, product_id, quantity, unit_amount, total)
   select id, 'card', 'metal-card', 1, 4500, 4500 from orders where user_id = $1::uuid`,
  `insert into metal_cards (user_id, order_id, order_item_id, place)
   select o.user_id, o.id, i.id, 1 from orders o join order_items i on i.order_id = o.id where o.user_id = $1::uuid`,
  `insert into share_openings (link_id, opened_at) select l.id, now() - make_interval(mins => n)
   from (select id from share_links where memory_id = (select id from memories where user_id = $1::uuid order by created_at limit 1)
     order by is_first desc, id limit 1) l, generate_series(1, $2::integer) n`,
  "insert into private.notice_emails (notice_id, user_id) select id, user_id from notices where user_id = $1::uuid and email_due_since is not null",
  "insert into private.media_sums select * from private.counted_sums($1::uuid)",
  "insert into private.activity select * from private.counted_activity($1::uuid)",
  "insert into memory_counts select * from private.counted_memories($1::uuid)",
  `select private.index_for_search(k.kind, array(select t.row_id from private.search_texts(k.kind) t
     join memories m on m.id = t.memory_id and m.user_id = $1::uuid))
   from unnest('{memory,story,moment,comment,photo,person,file}'::text[]) k (kind)`,
];

/**
 * Adds an owner with rows of these sizes to the database, by SQL and without triggers except for those that guard
 * memories: 30,000 photos take seconds.
 */
export async function ownerOfSize(
  server: Pick<TestServer, "db" | "sign">,
  name: string,
  { memories, media, others }: OwnerSize,
): Promise<SizedOwner> {
  const { db } = server;
  const owner = await ownerOf(server, name);
  const { userId } = owner;
  await givePlan(db, userId, { plan: "skies-master" });
  const albumId = randomUUID();
  await db.query("insert into albums (id, user_id, name) values ($1, $2, 'Everybody')", [albumId, userId]);
  await db.query("update memories set album_id = $2, created_at = now() - interval '1 year' where user_id = $1", [
    userId,
    albumId,
  ]);
  await db.query(MEMORIES, [userId, memories, albumId]);
  await fill(db, userId, media, MEDIA);
  await fill(db, userId, others, OTHERS);
  const { rows } = await db.query<Pick<SizedOwner, "mediaId" | "orderId" | "personId" | "email">>(
    `select (select id from media where memory_id = $2 and moderation = 'shown' order by id limit 1) as "mediaId",
       (select id from orders where user_id = $1 order by id limit 1) as "orderId",
       (select p.id from pictured_people p join pictured_identities i on i.person_id = p.id where p.memory_id = $2 limit 1) as "personId",
       (select email from auth.users where id = $1) as email`,
    [userId, owner.memoryId],
  );
  if (!rows[0]) throw new Error("The owner has no rows");
  return { ...owner, albumId, ...rows[0] };
}

/**
 * Adds memories of other people, and stores all memories in a random order, so that those of an owner are far apart in
 * the table, as in an installation to which many people add at the same time.
 */
export async function addMemoriesOfOthers(db: Database, people: number, memories: number) {
  await db.transaction(async (tx) => {
    await tx.exec("set local session_replication_role = replica");
    await tx.query(
      `insert into auth.users (id, email, email_confirmed_at)
       select md5('stranger' || n)::uuid, 'stranger' || n || '@example.com', now() from generate_series(1, $1::integer) n`,
      [people],
    );
    await tx.query(
      `insert into memories (user_id, person_name, description, created_at)
       select md5('stranger' || (1 + n % $1::integer))::uuid, 'No. ' || n, repeat('x', 200), now() - make_interval(mins => 13 * n)
       from generate_series(1, $2::integer) n`,
      [people, memories],
    );
    await tx.exec(`select private.index_for_search('memory', array(select id from memories m
      where not exists (select from private.search_entries e where e.row_id = m.id)))`);
  });
  // Ids are random.
  await db.exec("cluster memories using memories_pkey");
}

const fill = (db: Database, userId: string, count: number, statements: readonly string[]) =>
  db.transaction(async (tx) => {
    await tx.exec("set local session_replication_role = replica");
    for (const statement of statements) {
      await tx.query(statement, statement.includes("$2") ? [userId, count] : [userId]);
    }
  });
