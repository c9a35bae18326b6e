import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { asCaller, type Caller, SERVICE } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { sized } from "../support/long-tests.ts";
import { givePlan } from "../support/plans.ts";

const db = await testDatabase();
const uuid = () => crypto.randomUUID();

interface Owner {
  id: string;
  caller: Caller;
}
let owners: Owner[];

beforeAll(async () => {
  owners = [await newOwner(), await newOwner()];
});

async function newOwner(): Promise<Owner> {
  const id = uuid();
  await db.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
    id,
    `${id}@example.com`,
  ]);
  await givePlan(db, id, { plan: "skies-master" });
  return { id, caller: { role: "authenticated", sub: id } };
}

const ids = async (text: string, values: unknown[] = []) =>
  (await db.query<{ id: string }>(text, values)).rows.map(({ id }) => id);

async function newMemory({ caller }: Owner): Promise<string> {
  return asCaller(db, caller, async (tx) => {
    const { rows } = await tx.query<{ id: string }>("insert into memories (person_name) values ('Rosa') returning id");
    return rows[0]?.id ?? "";
  });
}

/** Stores a photo or a video as a person, with a poster if it is a video. */
async function addMedia(memory: string, by: string, size: number, type: "image" | "video") {
  const name = `${memory}/${uuid()}.${type === "image" ? "jpg" : "mp4"}`;
  const store = (bucket: string, object: string, mimetype: string, bytes: number) =>
    db.query(
      `insert into storage.objects (bucket_id, name, owner, version, metadata)
       values ($1, $2, $3, gen_random_uuid()::text, $4)`,
      [bucket, object, by, { mimetype, size: bytes }],
    );
  await store("media", name, `${type}/${type === "image" ? "jpeg" : "mp4"}`, size);
  if (type === "video") await store("posters", `${name}.jpg`, "image/jpeg", 7);
}

/**
 * What differs between the ledgers and the rows that they add up. After changes at the same time, additions may have an
 * earlier time: rows that add up to nothing are merged into none, while others of the same day are locked.
 */
async function differences({ atTheSameTime = false } = {}) {
  const { rows } = await db.query(
    `with sums as (
       select memory_id, account, sum(images) as images, sum(videos) as videos, sum(bytes) as bytes,
         sum(bytes_in_trash) as bytes_in_trash, max(largest) as largest from private.media_sums group by 1, 2
     ), additions as (
       select memory_id, account, day, user_id, sum(items) as items, max(at) as at from private.activity
       where day is not null group by 1, 2, 3, 4
     )
     select 'sums' as of, coalesce(s.memory_id, c.memory_id), to_jsonb(s) as stored, to_jsonb(c) as counted
     from (select * from sums where (images, videos, bytes, bytes_in_trash) <> (0, 0, 0, 0)) s
     full join private.counted_sums() c on (s.memory_id, s.account) = (c.memory_id, c.account)
     where s.memory_id is null or c.memory_id is null or s.largest < c.largest
       or (s.images, s.videos, s.bytes, s.bytes_in_trash) <> (c.images, c.videos, c.bytes, c.bytes_in_trash)
     union all
     select 'additions', coalesce(a.memory_id, c.memory_id), to_jsonb(a), to_jsonb(c)
     from (select * from additions where items <> 0) a
     full join (select * from private.counted_activity() where day is not null) c
       on (a.memory_id, a.account, a.day) = (c.memory_id, c.account, c.day) and a.user_id is not distinct from c.user_id
     where a.memory_id is null or c.memory_id is null or a.items <> c.items or (a.at < c.at and not $1::boolean)
     union all
     select 'events', coalesce(a.memory_id, c.memory_id), to_jsonb(a), to_jsonb(c)
     from (select * from private.activity where day is null) a
     full join (select * from private.counted_activity() where day is null) c
       on (a.memory_id, a.account, a.at) = (c.memory_id, c.account, c.at)
       and (a.story_id = c.story_id or a.member_id = c.member_id)
     where a.memory_id is null or c.memory_id is null
     union all
     select 'counts', coalesce(a.memory_id, c.memory_id), to_jsonb(a), to_jsonb(c)
     from (select memory_id, sum(photos) as photos, sum(comments) as comments from memory_counts group by 1
       having sum(photos) <> 0 or sum(comments) <> 0) a
     full join private.counted_memories() c on a.memory_id = c.memory_id
     where a.memory_id is null or c.memory_id is null or (a.photos, a.comments) <> (c.photos, c.comments)
     union all
     select 'trash', t.id, to_jsonb(t.account), to_jsonb(m.user_id) from trash t join memories m on m.id = t.memory_id
     where t.account is distinct from m.user_id`,
    [atTheSameTime],
  );
  return rows;
}

interface Answers {
  activity: unknown[];
  storage: unknown;
}

/** What an owner reads, and the same from the rows themselves; fewer than eight events only, whose order is the same. */
async function answersOf({ id, caller }: Owner): Promise<[Answers, Answers]> {
  return asCaller(db, caller, async (tx) => {
    const { rows: events } = await tx.query(
      `with own as (select id from memories where user_id = $1)
       select 'added' as kind, own.id as memory_id, coalesce(d.user_id = $1, false) as mine, count(*)::integer as items
         from own join media x on x.memory_id = own.id and x.moderation <> 'attached' join media_details d on d.media_id = x.id
         group by own.id, d.user_id, (x.created_at at time zone 'utc')::date
       union all select 'told', s.memory_id, coalesce(s.user_id = $1, false), 1 from own join stories s on s.memory_id = own.id
       union all select 'joined', p.memory_id, false, 1 from own join memory_members p on p.memory_id = own.id
       union all select 'began', own.id, true, 1 from own order by 1, 2, 3, 4`,
      [id],
    );
    const { rows: answered } = await tx.query(
      "select kind, memory_id, mine, items::integer from recent_activity() order by 1, 2, 3, 4",
    );
    const { rows: stored } = await tx.query<{ storage: unknown }>(
      `select jsonb_build_object(
         'images', count(*) filter (where type = 'image'), 'videos', count(*) filter (where type = 'video'),
         'largest', (select coalesce(jsonb_agg(l.size), '[]') from (select size from media x join memories m on m.id = x.memory_id
           where m.user_id = $1 and x.moderation <> 'attached' order by size desc limit 20) l)) as storage
       from media x join memories m on m.id = x.memory_id where m.user_id = $1 and x.moderation <> 'attached'`,
      [id],
    );
    const { rows: stats } = await tx.query<{ storage: unknown; trash: string; total: string }>(
      `select jsonb_build_object('images', s -> 'imageCount', 'videos', s -> 'videoCount',
         'largest', jsonb_path_query_array(s, '$.largest[*].size')) as storage,
         s -> 'trash' ->> 'bytes' as trash, s ->> 'totalSize' as total from storage_stats() s`,
    );
    const { rows: uses } = await tx.query<{ bytes: string }>(
      "select sum(bytes)::text as bytes from storage_by_memory(0, 100)",
    );
    // What is in no memory's bytes is in the trash.
    expect(Number(stats[0]?.trash)).toBe(Number(stats[0]?.total) - Number(uses[0]?.bytes ?? 0));
    const few = events.length <= 8;
    return [
      { activity: few ? answered : [], storage: stats[0]?.storage },
      { activity: few ? events : [], storage: stored[0]?.storage },
    ];
  });
}

const pick = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(1, list.length)];

const STEPS: Record<string, (at: number) => Promise<unknown>> = {
  memory: async (at) => newMemory(pick(owners, at) as Owner),
  photo: async (at) => addMedia(await anyMemory(at), (pick(owners, at >> 3) as Owner).id, 10 + (at % 90), "image"),
  video: async (at) => addMedia(await anyMemory(at), (pick(owners, at >> 3) as Owner).id, 10 + (at % 90), "video"),
  story: async (at) => {
    const memory = await anyMemory(at);
    await db.query(
      "insert into stories (memory_id, user_id, body) select id, user_id, '<p>Then.</p>' from memories where id = $1",
      [memory],
    );
  },
  "delete a story": async (at) => {
    const story = pick(await ids("select id from stories order by id"), at);
    await db.query("delete from stories where id = $1", [story]);
  },
  comment: async (at) => {
    const memory = await anyMemory(at);
    await db.query(
      `insert into comments (memory_id, user_id, body, media_id) select id, user_id, 'Then.',
         case when $2 % 3 = 0 then (select x.id from media x where x.memory_id = m.id and x.moderation = 'shown' limit 1) end
       from memories m where id = $1`,
      [memory, at],
    );
  },
  "change a comment": async (at) => {
    const comment = pick(await ids("select id from comments order by id"), at);
    const change = pick(
      [
        "update comments set moderation = case moderation when 'shown' then 'hidden' else 'shown' end where id = $1",
        "update comments set deleted_at = now(), body = '' where id = $1",
        "delete from comments where id = $1",
      ],
      at >> 3,
    );
    await db.query(change ?? "", [comment]);
  },
  "break a photo": async (at) => {
    const media = pick(await ids("select id from media order by id"), at);
    await db.query("update media set state = case state when 'ready' then 'broken' else 'ready' end where id = $1", [
      media,
    ]);
  },
  member: async (at) => {
    const memory = await anyMemory(at);
    await db.query(
      `insert into memory_members (memory_id, user_id, role) select id, $2, 'viewer' from memories where id = $1 and user_id <> $2
       on conflict do nothing`,
      [memory, pick(owners, at >> 4)?.id],
    );
  },
  trash: async (at) => {
    const media = pick(await ids("select id from media where moderation <> 'deleted' order by id"), at);
    return asOwnerOf(media, "delete from storage.objects where id = $1", [media]);
  },
  "trash many": async (at) => {
    const memory = await anyMemory(at);
    const [photo] = await ids("select id from media where memory_id = $1", [memory]);
    return asOwnerOf(photo, "delete from storage.objects where name like $1", [`${memory}/%`]);
  },
  restore: async (at) => {
    const media = pick(await ids("select id from trash where kind = 'media' order by id"), at);
    return asOwnerOf(media, "select restore_deleted($1)", [JSON.stringify([{ kind: "media", id: media }])]);
  },
  "delete forever": async () => asCaller(db, (owners[0] as Owner).caller, (tx) => tx.query("select empty_trash()")),
  purge: async (at) => {
    const media = pick(await ids("select id from media order by id"), at);
    await db.query("delete from storage.objects where id = $1", [media]);
  },
  "trash a memory": async (at) => {
    const memory = await anyMemory(at);
    const { rows } = await db.query<{ user_id: string }>("select user_id from memories where id = $1", [memory]);
    const caller: Caller = { role: "authenticated", sub: rows[0]?.user_id ?? "" };
    await asCaller(db, caller, (tx) => tx.query("delete from memories where id = $1", [memory]));
    if (at % 2) {
      await asCaller(db, caller, (tx) =>
        tx.query("select restore_deleted($1)", [JSON.stringify([{ kind: "memory", id: memory }])]),
      );
    }
  },
  "move a photo": async (at) => {
    const media = pick(
      await ids("select id from media where moderation <> 'deleted' and type = 'image' order by id"),
      at,
    );
    const other = await anyMemory(at >> 2);
    await db.query(
      `update storage.objects o set name = $2 || '/' || gen_random_uuid() || '.jpg' where o.id = $1
         and (select user_id from memories where id = $2::uuid) = (select m.user_id from media x join memories m on m.id = x.memory_id where x.id = $1)`,
      [media, other],
    );
  },
  "hold and show": async (at) => {
    const media = pick(await ids("select id from media where moderation in ('shown', 'held') order by id"), at);
    await asCaller(db, SERVICE, (tx) =>
      tx.query(
        "update media set moderation = case moderation when 'shown' then 'held' else 'shown' end where id = $1",
        [media],
      ),
    );
  },
  "hand over": async (at) => {
    const [memory, owner] = [await anyMemory(at), (pick(owners, at) as Owner).id];
    // As `accept_handover` does: an owner is no member.
    await db.query("delete from memory_members where memory_id = $1 and user_id = $2", [memory, owner]);
    await db.query("update memories set user_id = $2, album_id = null where id = $1", [memory, owner]);
  },
  "another day": async (at) => {
    const media = pick(await ids("select id from media order by id"), at);
    await db.query("update media set created_at = created_at - make_interval(days => $2::integer) where id = $1", [
      media,
      at % 5,
    ]);
  },
  "remove a poster": async (at) => {
    const poster = pick(await ids("select id from storage.objects where bucket_id = 'posters' order by id"), at);
    await db.query("delete from storage.objects where id = $1", [poster]);
  },
  "delete an account": async () => {
    const [gone] = owners.splice(0, 1);
    await db.query("delete from auth.users where id = $1", [gone?.id]);
    owners.push(await newOwner());
  },
};

async function anyMemory(at: number): Promise<string> {
  const memories = await ids("select id from memories where deleted_at is null order by id");
  return pick(memories, at) ?? newMemory(pick(owners, at) as Owner);
}

async function asOwnerOf(media: string | undefined, text: string, values: unknown[]) {
  if (!media) return;
  const { rows } = await db.query<{ user_id: string }>(
    "select m.user_id from media x join memories m on m.id = x.memory_id where x.id = $1",
    [media],
  );
  await asCaller(db, { role: "authenticated", sub: rows[0]?.user_id ?? "" }, (tx) => tx.query(text, values));
}

test("the sums of memories equal their rows after any changes", async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS), "photo", "photo", "video", "trash"), fc.nat(1000));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      for (const [name, at] of steps) {
        await STEPS[name]?.(at);
        expect([name, await differences()]).toEqual([name, []]);
      }
      for (const owner of owners) {
        const [answers, counted] = await answersOf(owner);
        expect(answers).toEqual(counted);
      }
    }),
    { numRuns: sized(5, 60) },
  );
});

test("the sums of a memory equal its rows after changes at the same time", async () => {
  const [owner] = owners as [Owner];
  const memory = await newMemory(owner);
  const remove = (media: string | undefined) =>
    asCaller(db, owner.caller, (tx) => tx.query("delete from storage.objects where id = $1", [media]));
  for (let round = 0; round < sized(3, 20); round += 1) {
    // Each one is deleted once.
    const before = await ids(
      "select id from media where memory_id = $1 and moderation <> 'deleted' order by size desc",
      [memory],
    );
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        await addMedia(memory, owner.id, 100 - n, n % 3 === 0 ? "video" : "image");
        if (n % 2 === 0) await remove(before[n]);
        if (n % 4 === 1) await db.query("delete from storage.objects where id = $1", [before[n]]);
      }),
    );
    expect(await differences({ atTheSameTime: true })).toEqual([]);
  }
  const { rows } = await db.query<{ sums: number; counts: number }>(
    `select (select count(*) from private.media_sums where memory_id = $1)::integer as sums,
       (select count(*) from memory_counts where memory_id = $1)::integer as counts`,
    [memory],
  );
  expect(Math.max(rows[0]?.sums ?? 0, rows[0]?.counts ?? 0), "ledgers are merged").toBeLessThan(30);
});
