import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { changesIn, closing, follow, names } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { gated } from "../support/gated.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { openSocket } from "../support/socket.ts";

const server = await testServer();
const second = await testServer({}, server);
const { db } = server;
const { rename, add, remove, visitorOf } = changesIn(server);

const clientOf = (bearer?: string | (() => string), at = server) => closing(at.client(bearer));

let ada: Owner;
let bob: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
  bob = await ownerOf(server, "Party");
  await givePlan(db, ada.userId);
});

describe("a change reaches", () => {
  test("its owner, with the row as it is now", async () => {
    const { events } = await follow(clientOf(ada.token));
    await rename(ada, "Granny");
    await expect.poll(() => events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      schema: "public",
      table: "memories",
      eventType: "UPDATE",
      errors: null,
      new: { id: ada.memoryId, person_name: "Granny", draft: false },
      old: { id: ada.memoryId },
    });
    expect(Object.keys(events[0]?.old ?? {})).toEqual(["id"]);
    expect(Number.isNaN(Date.parse(events[0]?.commit_timestamp ?? ""))).toBe(false);
  });

  test("a visitor of its link, but no stranger and no anonymous client", async () => {
    const visitor = await follow(clientOf(await visitorOf(ada)));
    const stranger = await follow(clientOf(bob.token));
    const nobody = await follow(clientOf());
    await rename(ada, "Granny");
    await rename(bob, "Feast");
    await expect.poll(() => names(stranger.events)).toEqual(["Feast"]);
    await expect.poll(() => names(visitor.events)).toEqual(["Granny"]);
    expect(nobody.events).toEqual([]);
  });

  test("no visitor whose link has changed, even if their token is still valid", async () => {
    const visitor = await follow(clientOf(await visitorOf(ada)));
    const owner = await follow(clientOf(ada.token));
    await db.query("update share_links set version = version + 1 where id = $1", [ada.linkId]);
    await rename(ada, "Granny");
    await expect.poll(() => names(owner.events)).toEqual(["Granny"]);
    expect(visitor.events).toEqual([]);
  });

  test("the service, whoever owns the row", async () => {
    const { events } = await follow(closing(server.service()));
    await rename(ada, "Granny");
    await rename(bob, "Feast");
    await expect.poll(() => names(events)).toEqual(["Granny", "Feast"]);
  });

  test("a client of another process on the same database", async () => {
    const { events } = await follow(clientOf(ada.token, second));
    await rename(ada, "Granny");
    await expect.poll(() => names(events)).toEqual(["Granny"]);
  });
});

describe("a row that is deleted", () => {
  test("is sent to its owner as its key alone, and to no stranger", async () => {
    const owner = await follow(clientOf(ada.token));
    const stranger = await follow(clientOf(bob.token));
    const nobody = await follow(clientOf());
    await remove(ada);
    await expect.poll(() => owner.events).toHaveLength(1);
    expect(owner.events[0]).toMatchObject({ eventType: "DELETE", old: { id: ada.memoryId }, new: {} });
    expect(Object.keys(owner.events[0]?.old ?? {})).toEqual(["id"]);
    await rename(bob, "Feast");
    await expect.poll(() => names(stranger.events)).toEqual(["Feast"]);
    expect(nobody.events).toEqual([]);
  });

  test("can be filtered by its former values", async () => {
    const { events } = await follow(clientOf(ada.token), { event: "DELETE", filter: "person_name=eq.Grandmother" });
    await add(ada, "Another");
    await asCaller(db, ada.caller, (tx) => tx.query("delete from memories where person_name = 'Another'"));
    await remove(ada);
    await expect.poll(() => events.map(({ old }) => old)).toEqual([{ id: ada.memoryId }]);
  });
});

describe("a channel receives", () => {
  test("only the type of event that it asks for", async () => {
    const inserts = await follow(clientOf(ada.token), { event: "INSERT" });
    const all = await follow(clientOf(ada.token));
    await rename(ada, "Granny");
    await add(ada, "Grandfather");
    await expect.poll(() => names(all.events)).toEqual(["Granny", "Grandfather"]);
    await expect.poll(() => names(inserts.events)).toEqual(["Grandfather"]);
  });

  test.each([
    ["person_name=eq.b", ["b"]],
    ["person_name=neq.b", ["a", "c"]],
    ["person_name=lt.b", ["a"]],
    ["person_name=lte.b", ["a", "b"]],
    ["person_name=gt.b", ["c"]],
    ["person_name=gte.b", ["b", "c"]],
    ["person_name=in.(a,c)", ["a", "c"]],
    ["person_name=gt.a,person_name=lt.c", ["b"]],
    ["draft=eq.true", []],
  ])("only rows that match %s", async (filter, expected) => {
    const filtered = await follow(clientOf(ada.token), { event: "INSERT", filter });
    const all = await follow(clientOf(ada.token), { event: "INSERT" });
    for (const name of ["a", "b", "c"]) await add(ada, name);
    await expect.poll(() => names(all.events)).toEqual(["a", "b", "c"]);
    // Another socket, which may receive the events a little later.
    await expect.poll(() => names(filtered.events)).toEqual(expected);
  });

  test("rows compared by the column's type, not as text", async () => {
    const { events } = await follow(clientOf(ada.token), { filter: "cover_x=eq.0.50" });
    await rename(ada, "Granny");
    await expect.poll(() => names(events)).toEqual(["Granny"]);
  });

  test.each([
    ["an unknown table", { table: "nothing" }],
    ["a table that is not published", { table: "profiles" }],
    ["a table of another schema", { table: "users", schema: "auth" }],
    ["an unknown column", { filter: "nothing=eq.1" }],
    ["an unknown operator", { filter: "id=like.1" }],
    ["a value of the wrong type", { filter: "id=eq.1" }],
    ["SQL in a value", { filter: "person_name=in.('a');drop table memories" }],
    ["SQL for a column", { filter: "id) or (true=eq.1" }],
    ["an unknown event", { event: "TRUNCATE" }],
  ])("an error with a reason if it asks for %s", async (_what, binding) => {
    const socket = await openSocket(server, "2.0.0");
    const reply = await socket.join({
      access_token: ada.token,
      config: { postgres_changes: [{ event: "*", schema: "public", table: "memories", ...binding }] },
    });
    expect(reply).toMatchObject({ status: "error", response: { reason: expect.stringMatching(/\w+ \w+/) } });
    socket.close();
  });

  test("an error if a visitor asks for a table that only owners read", async () => {
    const socket = await openSocket(server, "2.0.0");
    const config = { postgres_changes: [{ event: "*", schema: "public", table: "share_links" }] };
    expect(await socket.join({ config })).toMatchObject({ status: "error" });
    expect(await socket.join({ config, access_token: ada.token })).toMatchObject({ status: "ok" });
    socket.close();
  });
});

describe("many changes", () => {
  test("made at once arrive once each and in order", async () => {
    const { events } = await follow(clientOf(ada.token), { event: "INSERT" });
    await asCaller(db, ada.caller, (tx) =>
      tx.query("insert into memories (person_name) select 'bulk ' || n from generate_series(1, 1200) n"),
    );
    await Promise.all(Array.from({ length: 30 }, (_, i) => add(ada, `single ${i}`)));
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(1230);
    const heard = names(events);
    expect(new Set(heard).size).toBe(1230);
    expect(heard).toHaveLength(1230);
    expect(heard.slice(0, 1200)).toEqual(Array.from({ length: 1200 }, (_, i) => `bulk ${i + 1}`));
  });

  test("of a transaction that commits after a later one are not missed", async () => {
    const { events } = await follow(clientOf(ada.token));
    await db.transaction(async (tx) => {
      await tx.query("update memories set person_name = 'early' where id = $1", [ada.memoryId]);
      await add(ada, "late");
      await expect.poll(() => names(events)).toEqual(["late"]);
    });
    await expect.poll(() => names(events)).toEqual(["late", "early"]);
  });

  test("that were rolled back are not sent", async () => {
    const { events } = await follow(clientOf(ada.token));
    await db
      .transaction(async (tx) => {
        await tx.query("update memories set person_name = 'undone'");
        throw new Error("undo");
      })
      .catch(() => {});
    await rename(ada, "Granny");
    await expect.poll(() => names(events)).toEqual(["Granny"]);
  });
});

test("changes made while the notification connection is lost are delivered afterwards", async () => {
  const { events } = await follow(clientOf(ada.token));
  const { rows } = await db.query<{ lost: number }>(
    `select count(*) filter (where pg_terminate_backend(pid))::integer as lost from pg_stat_activity
     where datname = current_database() and query = 'listen "realtime"'`,
  );
  // Each of the two servers has one.
  expect(rows).toEqual([{ lost: 2 }]);
  await rename(ada, "Granny");
  await expect.poll(() => names(events)).toEqual(["Granny"]);
});

describe("a join says which rows changed since they were read", () => {
  const missedBy = async (token: string, filter: string, within_ms: number) =>
    (await follow(clientOf(token), { filter, within_ms })).system[0]?.missed;
  // The changes of other tests are too many.
  beforeEach(() => db.exec("delete from realtime.changes"));
  const HOUR_MS = 3_600_000;
  /** The server counts from its own present, and a join may take long. */
  const JOIN_MS = 60_000;

  test("of those that the caller may see and asks for", async () => {
    const readAt = performance.now();
    await rename(ada, "Granny");
    const since = () => performance.now() - readAt + JOIN_MS;
    expect(await missedBy(ada.token, `id=eq.${ada.memoryId}`, since())).toEqual([0]);
    expect(await missedBy(ada.token, `id=eq.${randomUUID()}`, since())).toEqual([]);
    expect(await missedBy(bob.token, `id=eq.${ada.memoryId}`, since())).toEqual([]);
    await remove(ada);
    expect(await missedBy(ada.token, `id=eq.${ada.memoryId}`, since())).toEqual([0]);
  });

  test("by transactions that committed after the reading, and by no earlier one", async () => {
    const filter = `id=eq.${ada.memoryId}`;
    const [start, end] = [gated(), gated()];
    const writing = asCaller(db, ada.caller, async (tx) => {
      await tx.query("update memories set person_name = 'Granny' where id = $1", [ada.memoryId]);
      start.resolve();
      await end.promise;
    });
    await start.promise;
    // The notification of another change, after which the server notes which transactions are running.
    await rename(bob, "Feast");
    const readAt = performance.now();
    end.resolve();
    await writing;
    expect(await missedBy(ada.token, filter, performance.now() - readAt + JOIN_MS)).toEqual([0]);
    // Once the server has noted that it is committed, a later reading has it.
    await expect.poll(() => missedBy(ada.token, filter, 0)).toEqual([]);
  });

  test("and nothing, so that all is read again, after a long time, many changes, or without the question", async () => {
    const filter = `id=eq.${ada.memoryId}`;
    expect(await missedBy(ada.token, filter, HOUR_MS)).toBeUndefined();
    expect((await follow(clientOf(ada.token), { filter })).system[0]?.missed).toBeUndefined();
    const readAt = performance.now();
    for (let count = 0; count <= 100; count += 1) await rename(ada, `Granny ${count}`);
    expect(await missedBy(ada.token, filter, performance.now() - readAt + JOIN_MS)).toBeUndefined();
  });
});
