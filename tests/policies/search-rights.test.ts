import { beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, WHO, type Who, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
/** Ids of rows by their kinds. Each has the word "lighthouse". */
let rows: Record<"story" | "moment" | "comment" | "photo", string>;

const TABLES = { story: "stories", comment: "comments", photo: "media" } as const;
const VIEWERS: readonly Who[] = ["visitor", "guest", "viewer", "contributor", "co-owner", "owner"];
const MANAGERS: readonly Who[] = ["co-owner", "owner"];

const run = <Row>(caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Row>(text, values)).rows);

async function resultsFor(caller: Caller, find = "lighthouse", memoryId: string | null = null) {
  const results = await run<{ kind: string; id: string }>(
    caller,
    "select kind, id from search($1, memory => $2, most => 60)",
    [find, memoryId],
  );
  return results.map(({ kind, id }) => `${kind} ${id}`).sort();
}

beforeAll(async () => {
  world = await makeWorld(db);
  const { memoryId, objectId: photo, storyId: story, entryId: moment, commentId: comment } = world;
  rows = { story, moment, comment, photo };
  await db.query("update stories set body = '<p>The <b>lighthouse</b> keeper</p>' where id = $1", [story]);
  await db.query("update memory_entries set place = 'Lighthouse Point', on_date = '1974-06-02' where id = $1", [
    moment,
  ]);
  await db.query("update comments set body = 'I remember the lighthouse' where id = $1", [comment]);
  await db.query("update media set caption = 'At the lighthouse', taken_at = '1974-06-02' where id = $1", [photo]);
  await db.query("update media_details set file_name = 'lantern.jpg' where media_id = $1", [photo]);
  await db.query("update memories set description = '<p>Lighthouse</p>' where id = $1", [memoryId]);
  await db.query("update memories set description = '<p>Lighthouse</p>' where id = $1", [world.bobsMemoryId]);
  await db.query("update memories set description = '<p>Lighthouse</p>' where id = $1", [world.draftId]);
});

/** Everything with the word, except for the rows of these kinds. */
const all = (...without: string[]) =>
  [...Object.entries(rows), ["memory", world.memoryId] as const]
    .filter(([kind]) => !without.includes(kind))
    .map(([kind, id]) => `${kind} ${id}`)
    .sort();

test.each(WHO.filter((who) => who !== "service"))("%s finds what they may see", async (who) => {
  const mine = who === "stranger" ? [`memory ${world.bobsMemoryId}`] : [];
  expect(await resultsFor(world.callers[who])).toEqual(VIEWERS.includes(who) ? all() : mine);
  expect(await resultsFor(world.callers[who], "lighthouse", world.memoryId)).toEqual(
    VIEWERS.includes(who) ? all() : [],
  );
  expect(await resultsFor(world.callers[who], "lihgthouse")).toEqual(VIEWERS.includes(who) ? all() : mine);
});

test.each(WHO.filter((who) => who !== "service"))("%s finds a file by its name only if they manage it", async (who) => {
  expect(await resultsFor(world.callers[who], "lantern")).toEqual(MANAGERS.includes(who) ? [`file ${rows.photo}`] : []);
});

test.each(WHO.filter((who) => who !== "service"))("%s finds dates of what they may see", async (who) => {
  const dated = (args: string) =>
    run<{ kind: string }>(world.callers[who], `select kind from search('x', '', ${args})`).then((results) =>
      results.map(({ kind }) => kind).sort(),
    );
  const expected = VIEWERS.includes(who) ? ["moment", "photo"] : [];
  expect(await dated("since => '1974-01-01', until => '1974-12-31'")).toEqual(expected);
  expect(await dated("month_day => '06-02'")).toEqual(expected);
});

test("a link for adding only finds nothing, and no link finds what another one opens", async () => {
  const { rows: links } = await db.query<{ link: string; version: number }>(
    "insert into share_links (memory_id, rights, shared_at) values ($1, 'upload', now()) returning id as link, version",
    [world.memoryId],
  );
  const caller = { role: "anon", share: links[0] } as Caller;
  expect(await run(caller, "select upload_occasion()")).toHaveLength(1);
  expect(await resultsFor(caller)).toEqual([]);
  expect(await resultsFor({ role: "anon", share: { link: world.openLinkId, version: 99 } } as Caller)).toEqual([]);
  expect(await resultsFor(world.callers.visitor, "lighthouse", world.bobsMemoryId)).toEqual([]);
});

describe.each(["held", "hidden", "deleted"])("a row that is %s", (moderation) => {
  test.each(Object.keys(TABLES) as (keyof typeof TABLES)[])("is found by nobody: %s", async (kind) => {
    const set = (to: string) => db.query(`update ${TABLES[kind]} set moderation = $2 where id = $1`, [rows[kind], to]);
    await set(moderation);
    for (const who of VIEWERS) {
      expect(await resultsFor(world.callers[who])).toEqual(all(kind));
      if (kind === "photo") expect(await resultsFor(world.callers[who], "lantern")).toEqual([]);
    }
    const { rows: entries } = await db.query("select from private.search_entries where row_id = $1", [rows[kind]]);
    expect(entries).toEqual([]);
    await set("shown");
    expect(await resultsFor(world.callers.viewer)).toEqual(all());
  });
});

test("comments are found only with their photo and their thread", async () => {
  const { rows: replies } = await db.query<{ id: string }>(
    "insert into comments (memory_id, user_id, parent_id, body) values ($1, $2, $3, 'A tall lamp') returning id",
    [world.memoryId, world.callers.owner.sub, rows.comment],
  );
  const { rows: remarks } = await db.query<{ id: string }>(
    "insert into comments (memory_id, user_id, media_id, body) values ($1, $2, $3, 'A tall lamp') returning id",
    [world.memoryId, world.callers.owner.sub, rows.photo],
  );
  const [reply, remark] = [`comment ${replies[0]?.id}`, `comment ${remarks[0]?.id}`];
  expect(await resultsFor(world.callers.viewer, "tall lamp")).toEqual([reply, remark].sort());
  await db.query("update comments set moderation = 'hidden' where id = $1", [rows.comment]);
  expect(await resultsFor(world.callers.viewer, "tall lamp")).toEqual([remark]);
  expect(await resultsFor(world.callers.owner, "tall lamp")).toEqual([remark]);
  await db.query("update media set moderation = 'hidden' where id = $1", [rows.photo]);
  expect(await resultsFor(world.callers.viewer, "tall lamp")).toEqual([]);
  await db.query("update comments set moderation = 'shown' where id = $1", [rows.comment]);
  await db.query("update media set moderation = 'shown' where id = $1", [rows.photo]);
  expect(await resultsFor(world.callers.viewer, "tall lamp")).toEqual([reply, remark].sort());
});

test("a memory in the trash is not found, and is found again when it is restored", async () => {
  await run(world.callers.owner, "delete from memories where id = $1", [world.memoryId]);
  for (const who of VIEWERS) expect(await resultsFor(world.callers[who])).toEqual([]);
  await run(world.callers.owner, "select restore_deleted($1)", [
    JSON.stringify([{ kind: "memory", id: world.memoryId }]),
  ]);
  expect(await resultsFor(world.callers.owner)).toEqual(all());
});

test("a person who loses the right finds nothing at once", async () => {
  const { sub } = world.callers.viewer;
  const { rows: remaining } = await db.query<{ role: string }>(
    "delete from memory_members where memory_id = $1 and user_id = $2 returning role",
    [world.memoryId, sub],
  );
  expect(await resultsFor(world.callers.viewer)).toEqual([]);
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", [
    world.memoryId,
    sub,
    remaining[0]?.role,
  ]);
  expect(await resultsFor(world.callers.viewer)).toEqual(all());
});

test("hidden rows cost a search nothing, so that its duration tells nothing of them", async () => {
  const cost = async () => {
    const plans = await run<{ "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number } }] }>(
      world.callers.viewer,
      "explain (analyze, buffers, format json) select * from private.search_candidates('lighthouse', null, null, false, null, null, false, true)",
    );
    return plans[0]?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"] ?? 0;
  };
  // A vacuum or another connection can cost a single run some pages of the catalogue.
  const settledCost = async () => {
    for (let last = await cost(); ; ) {
      const next = await cost();
      if (next === last) return next;
      last = next;
    }
  };
  const before = await settledCost();
  await db.query(
    `insert into stories (memory_id, user_id, body, moderation)
     select $1, $2, '<p>lighthouse ' || n || '</p>', 'hidden' from generate_series(1, 500) n`,
    [world.memoryId, world.callers.owner.sub],
  );
  expect(await settledCost()).toBe(before);
  await db.query("delete from stories where moderation = 'hidden'");
});

test("the index holds exactly what every viewer may see", async () => {
  const { rows: faults } = await db.query(`
    with expected as (
      select k.kind, t.row_id, t.part, t.memory_id, private.search_lexemes(t.memory_id, m.user_id, t.class, t.value, t.name) as words, t.on_date
      from unnest('{memory,story,moment,comment,photo,person,file}'::text[]) k (kind) cross join lateral private.search_texts(k.kind) t
      join memories m on m.id = t.memory_id),
    stored as (select kind, row_id, part, memory_id, words, on_date from private.search_entries)
    (table expected except table stored) union all (table stored except table expected)`);
  expect(faults).toEqual([]);
});

const NAUGHTY = [
  "",
  " ",
  "%",
  "_",
  "'",
  "''",
  '"',
  "\\",
  "\\'",
  "a & b | !c <-> d:*",
  "(",
  ":*",
  "'; drop table memories; --",
  "§",
  "{}",
  "{a,b}",
  "null",
  "مرحبا بالعالم",
  "\u202etxt.exe\u202c",
  "👩‍👩‍👧‍👦",
  "🌊".repeat(300),
  "a".repeat(10_000),
  "a ".repeat(5000),
  "ﷺ".repeat(200),
  "Z̸͓̆a̶̦͝l̵͈̂g̴̭̃o̸̗͝",
  "\u0001\u001f\u007f",
  "\ud83d",
  "l'",
  "'''’‘`",
  "1974-99-99",
  "-1 OR 1=1",
  "日本語の写真",
];
test.each(NAUGHTY)("a search for %j is answered", async (text) => {
  const results = await run<{ words: string }>(world.callers.owner, "select * from search($1, $1)", [text]);
  expect(Array.isArray(results)).toBe(true);
  await run(world.callers.visitor, "select * from search($1, $1, '1974-01-01', '1974-12-31')", [text]);
});

test.each(["NaN", "-1", "0", "2147483647"])("a number of results such as %s stays within bounds", async (most) => {
  const search = run(world.callers.owner, "select * from search('lighthouse', most => $1::numeric::integer)", [most]);
  expect((await search.catch(() => [])).length).toBeLessThanOrEqual(60 * 7);
});
