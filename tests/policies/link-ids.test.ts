import { beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { allAnswers, answersWith, type Samples, samplesOf } from "../support/all-answers.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type Who, type World } from "../support/world.ts";

const db = await testDatabase();
let world: World;
let samples: Samples;
/** The share ids of all links of Ada's memory. */
let shareIds: string[];
beforeAll(async () => {
  world = await makeWorld(db);
  const { memoryId, linkId, openLinkId, objectId, commentId, invitationId, albumId, cardId, people } = world;
  const ids = [memoryId, linkId, openLinkId, objectId, commentId, invitationId, albumId, cardId, people.viewer];
  samples = samplesOf(ids, objectId);
  const { rows } = await db.query<{ share_id: string }>("select share_id from share_links where memory_id = $1", [
    memoryId,
  ]);
  shareIds = rows.map(({ share_id }) => share_id);
});

/** The callers of the world, and those who came by the link with a PIN and are also signed in. */
const callers = (): [string, Caller][] => {
  const { share } = world.callers.visitor;
  const plain: Who[] = [
    "nobody",
    "stranger",
    "visitor",
    "superseded",
    "guest",
    "viewer",
    "contributor",
    "administrator",
  ];
  const signedIn = (["stranger", "viewer", "contributor"] as const).map((who): [string, Caller] => [
    `a ${who} who came by a link`,
    { ...world.callers[who], share },
  ]);
  return [...plain.map((who): [string, Caller] => [who, world.callers[who]]), ...signedIn];
};

test("only its managers read the id of a link, from any table, column or function", async () => {
  expect(shareIds.length).toBeGreaterThan(2);
  for (const [who, caller] of callers()) {
    expect([who, answersWith(await allAnswers(db, caller, samples), shareIds)]).toEqual([who, []]);
  }
  const owners = answersWith(await allAnswers(db, world.callers.owner, samples), shareIds);
  expect(owners).toEqual(expect.arrayContaining(["memories", "share_links"]));
  expect(answersWith(await allAnswers(db, world.callers["co-owner"], samples), shareIds)).toEqual(
    expect.arrayContaining(["memories", "share_links"]),
  );
});

interface Made {
  id: string;
  share_id: string;
}

describe("the share id of a memory, as a computed column", () => {
  const run = (caller: Caller, text: string) =>
    asCaller(db, caller, async (tx) => (await tx.query(text, [world.memoryId])).rows);

  test.each(["viewer", "contributor"] as const)("reveals nothing to a %s by a filter or an order", async (who) => {
    const caller = world.callers[who];
    expect(await run(caller, "select id from memories m where id = $1 and share_id(m) is not null")).toEqual([]);
    expect(await run(caller, "select share_id(m) as id from memories m where id = $1 order by share_id(m)")).toEqual([
      { id: null },
    ]);
  });

  test("is returned by the insert that creates the memory, even of thousands", async () => {
    const { owner } = world.callers;
    const made = "insert into memories as m (person_name) values ('New') returning id, share_id(m) as share_id";
    const { rows: one } = await asCaller(db, owner, (tx) => tx.query<Made>(made));
    await db.query("update user_subscriptions set max_memories = null where user_id = $1", [owner.sub]);
    // In one statement: work that grew with each row would exceed the time limit of this test.
    const { rows: many } = await db.query<Made>(
      `insert into memories as m (user_id, person_name) select $1, 'New' from generate_series(1, 2000)
       returning id, share_id(m) as share_id`,
      [owner.sub],
    );
    const { rows: links } = await db.query<Made & { is_first: boolean; shared_at: Date | null }>(
      "select memory_id as id, share_id, is_first, shared_at from share_links where memory_id = any ($1) order by memory_id",
      [[...one, ...many].map(({ id }) => id)],
    );
    const byId = (a: Made, b: Made) => (a.id < b.id ? -1 : 1);
    expect(links).toEqual([...one, ...many].sort(byId).map((row) => ({ ...row, is_first: true, shared_at: null })));
    expect(new Set(links.map(({ share_id }) => share_id)).size).toBe(2001);
    expect(links.every(({ share_id }) => /^[0-9A-Za-z]{22}$/.test(share_id))).toBe(true);
  });
});

describe("a memory's first link", () => {
  test("opens nothing until its owner shares it, and stays shared", async () => {
    const { rows } = await db.query<{ id: string; memory_id: string; version: number }>(
      "select id, memory_id, version from share_links where memory_id = $1",
      [world.bobsMemoryId],
    );
    const [link] = rows;
    const visitor: Caller = { role: "anon", share: { link: link?.id, version: link?.version } };
    const seen = () => asCaller(db, visitor, async (tx) => (await tx.query("select id from memories")).rows);
    const share = (caller: Caller, at: string | null) =>
      asCaller(
        db,
        caller,
        async (tx) =>
          (
            await tx.query(
              "update share_links set shared_at = $2 where id = $1 returning shared_at is not null as shared",
              [link?.id, at],
            )
          ).rows,
      );
    expect(await seen()).toEqual([]);
    expect(await share(world.callers.viewer, "2020-01-01")).toEqual([]);
    expect(await share(world.callers.stranger, "2020-01-01")).toEqual([{ shared: true }]);
    expect(await seen()).toEqual([{ id: world.bobsMemoryId }]);
    expect(await share(world.callers.stranger, null)).toEqual([{ shared: true }]);
  });
});
