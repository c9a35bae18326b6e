import { beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, WHO, type Who } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { memoryId, objectId, requestId, people, ada, callers } = world;

type Row = Record<string, unknown>;
const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Row>(text, values)).rows);
const rows = (caller: Caller) => run(caller, "select id, state, answer from picture_requests").catch(() => []);
const decide = (caller: Caller, state: string, answer = "") =>
  run(caller, "update picture_requests set state = $2, answer = $3 where id = $1 returning id", [
    requestId,
    state,
    answer,
  ]);
const noticesOf = async (user: string) =>
  (
    await db.query<{ kind: string }>(
      "select kind from notices where user_id = $1 and kind in ('held', 'request-done', 'request-declined') order by kind",
      [user],
    )
  ).rows.map(({ kind }) => kind);

beforeEach(async () => {
  await db.query("update media set moderation = 'shown' where id = $1", [objectId]);
  await db.query("delete from picture_requests where id <> $1", [requestId]);
  await db.query("update picture_requests set state = 'open', answer = '' where id = $1", [requestId]);
  await db.query("delete from notices");
});

const READERS: Who[] = ["viewer", "co-owner", "owner", "service"];
test.each(WHO)("Spec §6: a request is read by its sender and the managers only: %s", async (who) => {
  expect(await rows(callers[who])).toHaveLength(READERS.includes(who) ? 1 : 0);
});

test.each(WHO)("Spec §6: managers alone decide on a request: %s", async (who) => {
  const changed = await decide(callers[who], "declined", "We will ask Rosa.").catch(() => []);
  expect(changed).toHaveLength(["co-owner", "owner", "service"].includes(who) ? 1 : 0);
});

test("nobody but the server makes or removes a request, and nobody changes who asked for what", async () => {
  for (const who of ["visitor", "guest", "viewer", "owner"] as const) {
    for (const text of [
      `insert into picture_requests (media_id, memory_id, wish) values ('${objectId}', '${memoryId}', 'hide')`,
      `delete from picture_requests where id = '${requestId}'`,
      `update picture_requests set words = 'x' where id = '${requestId}'`,
      `update picture_requests set user_id = null where id = '${requestId}'`,
      `update picture_requests set decided_at = now() where id = '${requestId}'`,
    ]) {
      await expect(run(callers[who], text)).rejects.toMatchObject({ code: "42501" });
    }
  }
});

describe("a picture that", () => {
  test("is in the trash takes its requests along, and they come back with it", async () => {
    await db.query("update media set moderation = 'deleted' where id = $1", [objectId]);
    expect(await rows(callers.owner)).toEqual([]);
    expect(await run(callers.owner, "select count from waiting_counts()")).toEqual([]);
    await db.query("update media set moderation = 'shown' where id = $1", [objectId]);
    expect(await rows(callers.owner)).toHaveLength(1);
  });

  test("is hidden tells who asked only what was decided, and no row of it", async () => {
    await db.query("update media set moderation = 'hidden' where id = $1", [objectId]);
    await decide(callers.owner, "done");
    expect(await rows(callers.viewer)).toEqual([{ id: requestId, state: "done", answer: "" }]);
    expect(await run(callers.viewer, "select id from media where id = $1", [objectId])).toEqual([]);
  });
});

test("who decided and when is noted, and taken back with the decision", async () => {
  const noted = async () =>
    (
      await db.query<Row>(
        "select state, decided_by, decided_at is not null as dated from picture_requests where id = $1",
        [requestId],
      )
    ).rows[0];
  await decide(callers.owner, "declined", "No.");
  expect(await noted()).toEqual({ state: "declined", decided_by: ada, dated: true });
  await decide(callers["co-owner"], "open");
  expect(await noted()).toEqual({ state: "open", decided_by: null, dated: false });
  await expect(decide(callers.owner, "maybe")).rejects.toMatchObject({ code: "23514" });
  await expect(decide(callers.owner, "declined", "x".repeat(501))).rejects.toMatchObject({ code: "23514" });
});

test("managers are told that something waits, and the account that asked what was decided", async () => {
  await db.query("insert into picture_requests (media_id, memory_id, wish, user_id) values ($1, $2, 'hide', $3)", [
    objectId,
    memoryId,
    people.contributor,
  ]);
  expect([await noticesOf(ada), await noticesOf(people["co-owner"]), await noticesOf(people.viewer)]).toEqual([
    ["held"],
    ["held"],
    [],
  ]);
  expect(await run(callers.owner, "select count::integer as count from waiting_counts()")).toEqual([{ count: 2 }]);
  await decide(callers.owner, "done");
  expect(await noticesOf(people.viewer)).toEqual(["request-done"]);
  expect(await noticesOf(ada)).toEqual(["held"]);
  await decide(callers.owner, "open");
  expect(await noticesOf(people.viewer)).toEqual([]);
  await decide(callers.owner, "declined");
  expect(await noticesOf(people.viewer)).toEqual(["request-declined"]);
  await db.query("delete from picture_requests where state = 'open'");
  expect(await noticesOf(ada)).toEqual([]);
});

test("a request goes with the account or guest that asked, and with the picture", async () => {
  await db.query("insert into picture_requests (media_id, memory_id, wish, guest_id) values ($1, $2, 'hide', $3)", [
    objectId,
    memoryId,
    world.guestId,
  ]);
  class Undo extends Error {}
  for (const [statement, left] of [
    ["delete from guests where id = $1", 1],
    ["delete from media where id = $1", 0],
  ] as const) {
    const work = db.transaction(async (tx) => {
      await tx.query(statement, [statement.includes("guests") ? world.guestId : objectId]);
      expect((await tx.query("select 1 from picture_requests")).rows).toHaveLength(left);
      throw new Undo();
    });
    await expect(work).rejects.toBeInstanceOf(Undo);
  }
});
