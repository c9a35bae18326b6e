import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { cheapestOf, testDatabase, vacuumed } from "../support/database.ts";

/** The numbers of memories of the two accounts. Both read twenty rows of one of them. */
const SMALL = 20;
const LARGE = 400;
/** The most pages that the large account's list may touch: a factor, and the index pages that list its 400 memories. */
const mostPages = (pages: number) => pages * 1.3 + 4;

const db = await testDatabase();

interface Account {
  caller: Caller;
  userId: string;
  memoryId: string;
}

let small: Account;
let large: Account;
beforeAll(async () => {
  // Plans allow fewer memories than this test needs.
  await db.exec("alter table memories disable trigger limit_memories");
  const users = Array.from({ length: 300 }, () => randomUUID());
  for (const id of users) {
    await db.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
      id,
      `${id}@example.com`,
    ]);
  }
  const [few = "", many = "", ...others] = users;
  // Memories of many people in the order of time, so that each person's rows are far apart. Small transactions are much
  // faster, because a transaction keeps the addresses of all that it creates.
  for (let first = 1; first <= 10 * LARGE; first += 100) {
    await db.query(
      `insert into memories (user_id, person_name, created_at)
       select case when i % 10 = 0 then $2::uuid when i % 200 = 1 then $1::uuid else ($3::uuid[])[1 + i % cardinality($3::uuid[])] end,
         'Someone', now() - make_interval(mins => i)
       from generate_series($4::integer, $4 + 99) i`,
      [few, many, others, first],
    );
  }
  small = await account(few, SMALL);
  large = await account(many, LARGE);
  await vacuumed(db);
});

/** Adds twenty rows of every kind to the middle one of a person's memories. */
async function account(userId: string, memories: number): Promise<Account> {
  const { rows } = await db.query<{ id: string }>("select id from memories where user_id = $1 order by created_at", [
    userId,
  ]);
  expect(rows.length).toBe(memories);
  const memoryId = rows[memories / 2]?.id ?? "";
  await db.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     select 'media', $1::uuid || '/' || gen_random_uuid() || '.jpg', $2::uuid, $2::uuid::text, gen_random_uuid()::text,
       '{"mimetype": "image/jpeg", "size": 1}' from generate_series(1, 20)`,
    [memoryId, userId],
  );
  for (const statement of [
    "insert into stories (memory_id, user_id, body) select $1, $2, '<p>Once.</p>' from generate_series(1, 20)",
    "insert into comments (memory_id, user_id, body) select $1, $2, 'Remember' from generate_series(1, 20)",
    "insert into reactions (memory_id, user_id, comment_id, kind) select $1, $2, id, 'heart' from comments where memory_id = $1",
    "insert into notices (user_id, memory_id, kind) select $2, $1, 'comment' from generate_series(1, 20)",
  ]) {
    await db.query(statement, [memoryId, userId]);
  }
  for (const statement of [
    "insert into memory_entries (memory_id, title) select $1, 'School' from generate_series(1, 20)",
    "insert into share_links (memory_id) select $1 from generate_series(1, 20)",
    "insert into invitations (memory_id, email, role) select $1, 'guest' || i || '@example.com', 'viewer' from generate_series(1, 20) i",
    "insert into media_credits (media_id, memory_id, name) select id, memory_id, 'Ada' from media where memory_id = $1",
  ]) {
    await db.query(statement, [memoryId]);
  }
  return { caller: { role: "authenticated", sub: userId }, userId, memoryId };
}

interface Plan {
  "Actual Rows": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

/** Resolves to the number of pages that a list touches, in memory or on disk, and of its rows. */
async function costOf({ caller, userId, memoryId }: Account, list: string) {
  const text = list.replaceAll("$user", `'${userId}'`).replaceAll("$memory", `'${memoryId}'`);
  return asCaller(db, caller, (tx) =>
    cheapestOf(async () => {
      const { rows } = await tx.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${text}`,
      );
      const plan = rows[0]?.["QUERY PLAN"][0].Plan;
      if (!plan) throw new Error(`No plan for ${text}`);
      return { rows: plan["Actual Rows"], pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] };
    }),
  );
}

test.each([
  ["memories", "select id, person_name from memories where user_id = $user order by created_at desc limit 20"],
  ["photos", "select * from media where memory_id = $memory order by created_at, id limit 20"],
  [
    "shown photos",
    "select * from media where memory_id = $memory and moderation = 'shown' order by created_at limit 20",
  ],
  ["stories", "select * from stories where memory_id = $memory order by position limit 20"],
  [
    "comments",
    "select * from comments where memory_id = $memory and parent_id is null order by created_at, id limit 20",
  ],
  ["reactions", "select * from reactions where memory_id = $memory limit 20"],
  ["moments", "select * from memory_entries where memory_id = $memory limit 20"],
  ["links", "select * from share_links where memory_id = $memory order by created_at limit 20"],
  ["invitations", "select * from invitations where memory_id = $memory limit 20"],
  ["details of photos", "select * from media_details where memory_id = $memory limit 20"],
  ["credits", "select * from media_credits where memory_id = $memory limit 20"],
  ["notices", "select * from notices where user_id = $user order by created_at desc limit 20"],
  [
    "stored objects",
    "select name from storage.objects where bucket_id = 'media' and id in (select id from media where memory_id = $memory)",
  ],
  [
    "rights to files",
    "select private.access_to_object(o) from storage.objects o where o.id = any (array(select id from media where memory_id = $memory))",
  ],
])("twenty %s cost the owner of 400 memories as much as the owner of twenty", async (_what, list) => {
  const [few, many] = [await costOf(small, list), await costOf(large, list)];
  expect([few.rows, many.rows]).toEqual([20, 20]);
  expect(many.pages).toBeLessThanOrEqual(mostPages(few.pages));
});

test("the permission checks of one memory cost the same, however many memories its owner has", async () => {
  const rights = "select memory_rights($memory)";
  const [few, many] = [await costOf(small, rights), await costOf(large, rights)];
  expect(many.pages).toBeLessThanOrEqual(mostPages(few.pages));
});

test("a request without a filter reads what its caller sees, not what the installation has", async () => {
  const newest = "select id, person_name from memories order by created_at desc, id limit 20";
  const memberId = randomUUID();
  await db.query("insert into auth.users (id, email, email_confirmed_at) values ($1, 'member@example.com', now())", [
    memberId,
  ]);
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [
    large.memoryId,
    memberId,
  ]);
  const { rows } = await db.query<{ link: string; version: number }>(
    "insert into share_links (memory_id, shared_at) values ($1, now()) returning id as link, version",
    [large.memoryId],
  );
  const callers: Record<string, Caller> = {
    owner: small.caller,
    member: { role: "authenticated", sub: memberId },
    guest: { role: "anon", share: rows[0] } as Caller,
    stranger: { role: "authenticated", sub: randomUUID() },
    nobody: { role: "anon" },
  };
  const { rows: table } = await db.query<{ pages: number }>(
    "select (pg_relation_size('memories') / 8192)::integer as pages",
  );
  expect(table[0]?.pages).toBeGreaterThan(60);
  const costs: Record<string, number> = {};
  const pages: string[] = [];
  for (const [who, caller] of Object.entries(callers)) {
    const cost = await costOf({ ...large, caller }, newest);
    costs[who] = cost.rows;
    // A page of each row, and some of indexes and of tables that tell what others share; PostgreSQL 15 to 17 read more of these.
    if (cost.pages > cost.rows + 45) pages.push(`${who}: ${cost.pages}`);
  }
  expect(costs).toEqual({ owner: 20, member: 1, guest: 1, stranger: 0, nobody: 0 });
  expect(pages).toEqual([]);
});
