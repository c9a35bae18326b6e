import { randomUUID } from "node:crypto";
import type { RealtimePostgresChangesPayload, SupabaseClient } from "@supabase/supabase-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { openSocket } from "../support/socket.ts";

const server = await testServer();
const second = await testServer({}, server);
const third = await testServer({}, server);
const { db } = server;

type Row = Record<string, unknown>;
type Event = RealtimePostgresChangesPayload<Row>;

const clients: SupabaseClient[] = [];
const clientOf = (bearer?: string | (() => string), at = server) => {
  const client = at.client(bearer);
  clients.push(client);
  return client;
};

interface Wish {
  event?: "*" | "INSERT" | "UPDATE" | "DELETE";
  table?: string;
  filter?: string;
}

/** Subscribes and waits until changes flow; the events grow as they come. */
async function follow(client: SupabaseClient, { event = "*", table = "memories", filter }: Wish = {}) {
  const events: Event[] = [];
  const states: string[] = [];
  const system: { status: string; message: string }[] = [];
  // A channel that joins before its client has first asked for the token stays without it.
  await client.realtime.setAuth();
  const channel = client
    .channel(randomUUID())
    .on(
      "postgres_changes",
      { event, schema: "public", table, ...(filter ? { filter } : {}) } as never,
      (heard: Event) => events.push(heard),
    )
    .on("system" as never, {} as never, (message: { status: string; message: string }) => system.push(message))
    .subscribe((state, error) => states.push(error ? `${state}: ${error.message}` : state));
  await vi.waitFor(() =>
    expect([states, system]).toEqual([["SUBSCRIBED"], [expect.objectContaining({ status: "ok" })]]),
  );
  return { events, states, system, channel };
}

const rename = (owner: Owner, name: string) =>
  asCaller(db, owner.caller, (tx) =>
    tx.query("update memories set person_name = $1 where id = $2", [name, owner.memoryId]),
  );
const add = (owner: Owner, name: string) =>
  asCaller(db, owner.caller, (tx) => tx.query("insert into memories (person_name) values ($1)", [name]));
const remove = (owner: Owner) =>
  asCaller(db, owner.caller, (tx) => tx.query("delete from memories where id = $1", [owner.memoryId]));
const visitorOf = (owner: Owner, version = 1, seconds?: number) =>
  server.sign({ role: "anon", aud: "anon", share: { link: owner.linkId, version } }, seconds);
const names = (events: Event[]) => events.map(({ new: row }) => ("person_name" in row ? row.person_name : undefined));

let ada: Owner;
let bob: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
  bob = await ownerOf(server, "Party");
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.removeAllChannels()));
});

describe("who hears of a change", () => {
  test("its owner, with the row as it is now", async () => {
    const { events } = await follow(clientOf(ada.token));
    await rename(ada, "Granny");
    await vi.waitFor(() => expect(events).toHaveLength(1));
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

  test("whoever its link lets in, and neither strangers nor nobody", async () => {
    const visitor = await follow(clientOf(await visitorOf(ada)));
    const stranger = await follow(clientOf(bob.token));
    const nobody = await follow(clientOf());
    await rename(ada, "Granny");
    await rename(bob, "Feast");
    await vi.waitFor(() => expect(names(stranger.events)).toEqual(["Feast"]));
    expect(names(visitor.events)).toEqual(["Granny"]);
    expect(nobody.events).toEqual([]);
  });

  test("not a visitor whose link was changed since, though their token is still good", async () => {
    const visitor = await follow(clientOf(await visitorOf(ada)));
    const owner = await follow(clientOf(ada.token));
    await db.query("update share_links set version = version + 1 where id = $1", [ada.linkId]);
    await rename(ada, "Granny");
    await vi.waitFor(() => expect(names(owner.events)).toEqual(["Granny"]));
    expect(visitor.events).toEqual([]);
  });

  test("the service hears everything", async () => {
    const client = server.service();
    clients.push(client);
    const { events } = await follow(client);
    await rename(ada, "Granny");
    await rename(bob, "Feast");
    await vi.waitFor(() => expect(names(events)).toEqual(["Granny", "Feast"]));
  });

  test("whoever is connected to another process on the same database", async () => {
    const { events } = await follow(clientOf(ada.token, second));
    await rename(ada, "Granny");
    await vi.waitFor(() => expect(names(events)).toEqual(["Granny"]));
  });
});

describe("a row that is deleted", () => {
  test("is told to its owner by its key alone, and to no stranger", async () => {
    const owner = await follow(clientOf(ada.token));
    const stranger = await follow(clientOf(bob.token));
    const nobody = await follow(clientOf());
    await remove(ada);
    await vi.waitFor(() => expect(owner.events).toHaveLength(1));
    expect(owner.events[0]).toMatchObject({ eventType: "DELETE", old: { id: ada.memoryId }, new: {} });
    expect(Object.keys(owner.events[0]?.old ?? {})).toEqual(["id"]);
    await rename(bob, "Feast");
    await vi.waitFor(() => expect(names(stranger.events)).toEqual(["Feast"]));
    expect(nobody.events).toEqual([]);
  });

  test("can be filtered by what it was", async () => {
    const { events } = await follow(clientOf(ada.token), { event: "DELETE", filter: "person_name=eq.Grandmother" });
    await add(ada, "Another");
    await asCaller(db, ada.caller, (tx) => tx.query("delete from memories where person_name = 'Another'"));
    await remove(ada);
    await vi.waitFor(() => expect(events.map(({ old }) => old)).toEqual([{ id: ada.memoryId }]));
  });
});

describe("what a channel asks for", () => {
  test("only the kind of change it named", async () => {
    const inserts = await follow(clientOf(ada.token), { event: "INSERT" });
    const all = await follow(clientOf(ada.token));
    await rename(ada, "Granny");
    await add(ada, "Grandfather");
    await vi.waitFor(() => expect(names(all.events)).toEqual(["Granny", "Grandfather"]));
    expect(names(inserts.events)).toEqual(["Grandfather"]);
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
    await vi.waitFor(() => expect(names(all.events)).toEqual(["a", "b", "c"]));
    expect(names(filtered.events)).toEqual(expected);
  });

  test("compares by the column's type, not as text", async () => {
    await db.query("update memories set birth_date = '1999-12-31' where id = $1", [ada.memoryId]);
    const { events } = await follow(clientOf(ada.token), { filter: "birth_date=lt.2000-1-1" });
    await rename(ada, "Granny");
    await vi.waitFor(() => expect(names(events)).toEqual(["Granny"]));
  });

  test.each([
    ["a table that is not there", { table: "nothing" }],
    ["a table that does not tell", { table: "profiles" }],
    ["a table of another schema", { table: "users", schema: "auth" }],
    ["an unknown column", { filter: "nothing=eq.1" }],
    ["an unknown operator", { filter: "id=like.1" }],
    ["a value of the wrong type", { filter: "id=eq.1" }],
    ["SQL in a value", { filter: "person_name=in.('a');drop table memories" }],
    ["SQL for a column", { filter: "id) or (true=eq.1" }],
    ["an unknown event", { event: "TRUNCATE" }],
  ])("is refused in words where it is %s", async (_what, wish) => {
    const socket = await openSocket(server, "2.0.0");
    const reply = await socket.join({
      access_token: ada.token,
      config: { postgres_changes: [{ event: "*", schema: "public", table: "memories", ...wish }] },
    });
    expect(reply).toMatchObject({ status: "error", response: { reason: expect.stringMatching(/\w+ \w+/) } });
    socket.close();
  });

  test("a visitor may not ask for a table that only owners read", async () => {
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
    await vi.waitFor(() => expect(events.length).toBeGreaterThanOrEqual(1230), { timeout: 10_000 });
    const heard = names(events);
    expect(new Set(heard).size).toBe(1230);
    expect(heard).toHaveLength(1230);
    expect(heard.slice(0, 1200)).toEqual(Array.from({ length: 1200 }, (_, i) => `bulk ${i + 1}`));
  });

  test("of a transaction that commits after a later one are not missed", async () => {
    if (db.kind === "pglite") return;
    const { events } = await follow(clientOf(ada.token));
    await db.transaction(async (tx) => {
      await tx.query("update memories set person_name = 'early' where id = $1", [ada.memoryId]);
      await add(ada, "late");
      await vi.waitFor(() => expect(names(events)).toEqual(["late"]));
    });
    await vi.waitFor(() => expect(names(events)).toEqual(["late", "early"]));
  });

  test("that were undone are not told", async () => {
    const { events } = await follow(clientOf(ada.token));
    await db
      .transaction(async (tx) => {
        await tx.query("update memories set person_name = 'undone'");
        throw new Error("undo");
      })
      .catch(() => {});
    await rename(ada, "Granny");
    await vi.waitFor(() => expect(names(events)).toEqual(["Granny"]));
  });
});

describe("tokens", () => {
  test("a channel whose token ends is closed with the reason, within seconds", async () => {
    const { states, system } = await follow(clientOf(await visitorOf(ada, 1, 3)));
    await vi.waitFor(() => expect(states).toContain("CLOSED"), { timeout: 8000 });
    expect(system.at(-1)).toMatchObject({ status: "error", message: expect.stringMatching(/^Token has expired/) });
  });

  test("a channel whose token is renewed in time goes on", async () => {
    let token = await visitorOf(ada, 1, 3);
    const client = clientOf(() => token);
    const { states, events } = await follow(client);
    token = await visitorOf(ada, 1, 3600);
    await client.realtime.setAuth();
    const other = await follow(clientOf(await visitorOf(ada, 1, 3)));
    await vi.waitFor(() => expect(other.states).toContain("CLOSED"), { timeout: 8000 });
    expect(states).toEqual(["SUBSCRIBED"]);
    await rename(ada, "Granny");
    await vi.waitFor(() => expect(names(events)).toEqual(["Granny"]));
  });

  test("a channel hears as whoever its newest token speaks for", async () => {
    let token = bob.token;
    const client = clientOf(() => token);
    const { events } = await follow(client);
    token = ada.token;
    await client.realtime.setAuth();
    const owner = await follow(clientOf(ada.token));
    await rename(bob, "Feast");
    await rename(ada, "Granny");
    await vi.waitFor(() => expect(names(owner.events)).toEqual(["Granny"]));
    await vi.waitFor(() => expect(names(events)).toEqual(["Granny"]));
  });

  test.each([
    ["rubbish", async () => "x.y.z"],
    ["one that has ended", async () => server.sign({ role: "authenticated", sub: randomUUID() }, -10)],
  ])("%s joins nothing", async (_what, token) => {
    const socket = await openSocket(server, "2.0.0");
    expect(await socket.join({ access_token: await token(), config: {} })).toMatchObject({ status: "error" });
    socket.close();
  });
});

describe("the protocol", () => {
  test.each(["1.0.0", "2.0.0"] as const)("version %s: heartbeat, join, change, leave", async (version) => {
    const socket = await openSocket(server, version);
    expect(await socket.ask("phoenix", "heartbeat", {})).toEqual({ status: "ok", response: {} });
    const joined = await socket.join({
      access_token: ada.token,
      config: {
        broadcast: { ack: false, self: false },
        presence: { key: "", enabled: false },
        postgres_changes: [{ event: "*", schema: "public", table: "memories", filter: `id=eq.${ada.memoryId}` }],
        private: false,
      },
    });
    expect(joined).toEqual({
      status: "ok",
      response: {
        postgres_changes: [
          { id: expect.any(Number), event: "*", schema: "public", table: "memories", filter: `id=eq.${ada.memoryId}` },
        ],
      },
    });
    await rename(ada, "Granny");
    const change = await socket.heard("postgres_changes");
    expect(change).toMatchObject({
      ids: [expect.any(Number)],
      data: {
        type: "UPDATE",
        columns: expect.arrayContaining([
          { name: "id", type: "uuid" },
          { name: "description", type: "text" },
        ]),
        record: { person_name: "Granny" },
        old_record: { id: ada.memoryId },
      },
    });
    expect(await socket.ask("realtime:test", "phx_leave", {})).toEqual({ status: "ok", response: {} });
    await socket.heard("phx_close");
    socket.close();
  });

  test("nobody connects without a key, with a wrong one, or in a version that is not spoken", async () => {
    const url = server.url.replace("http", "ws");
    const { publishable } = server.keys;
    for (const query of ["vsn=2.0.0", "vsn=2.0.0&apikey=wrong", `vsn=9.0.0&apikey=${publishable}`]) {
      await expect(openSocket(server, "2.0.0", `${url}/realtime/v1/websocket?${query}`)).rejects.toThrow(/40[01]/);
    }
  });

  test("broadcasts and presence are refused in words", async () => {
    const socket = await openSocket(server, "2.0.0");
    await socket.join({ config: { broadcast: { ack: true }, presence: { enabled: true } } });
    for (const event of ["broadcast", "presence"]) {
      expect(await socket.ask("realtime:test", event, { type: event, event: "x", payload: {} })).toMatchObject({
        status: "error",
        response: { reason: expect.stringContaining("not supported") },
      });
    }
    socket.close();
    const client = clientOf();
    const channel = client.channel("talk", { config: { broadcast: { ack: true } } });
    await new Promise((resolve) => channel.subscribe(resolve));
    expect(await channel.send({ type: "broadcast", event: "x", payload: { hello: 1 } })).toBe("error");
  });

  test("a private channel is refused", async () => {
    const socket = await openSocket(server, "2.0.0");
    expect(await socket.join({ access_token: ada.token, config: { private: true } })).toMatchObject({
      status: "error",
    });
    socket.close();
  });

  test("what is no message ends the socket, and the server goes on", async () => {
    for (const rubbish of [
      "{",
      "[]",
      '"x"',
      "[1,2,3,4,5]",
      Buffer.from([3, 255, 255, 0, 0, 0, 0]),
      "x".repeat(200_000),
    ]) {
      const socket = await openSocket(server, "2.0.0");
      socket.send(rubbish);
      expect(await socket.closed).toBeGreaterThanOrEqual(1002);
    }
    const { events } = await follow(clientOf(ada.token));
    await rename(ada, "Granny");
    await vi.waitFor(() => expect(names(events)).toEqual(["Granny"]));
  });

  test("a socket has a limit of channels, and a channel of what it asks for", async () => {
    const socket = await openSocket(server, "2.0.0");
    for (let i = 0; i < 100; i++) expect(await socket.join({}, `realtime:${i}`)).toMatchObject({ status: "ok" });
    expect(await socket.join({}, "realtime:more")).toMatchObject({
      status: "error",
      response: { reason: expect.stringContaining("Too many channels") },
    });
    socket.close();
    const wishes = Array(51).fill({ event: "*", schema: "public", table: "memories" });
    const other = await openSocket(server, "2.0.0");
    expect(await other.join({ config: { postgres_changes: wishes } })).toMatchObject({ status: "error" });
    other.close();
  });

  test("a client that joins a topic again is told that the first time has ended", async () => {
    const socket = await openSocket(server, "2.0.0");
    await socket.join({});
    await socket.join({});
    await socket.heard("phx_close");
    socket.close();
  });
});

describe("the database", () => {
  test("has one trigger for each published table, however often a server starts", async () => {
    const { rows } = await db.query(
      "select tgrelid::regclass::text as name from pg_trigger where tgname = 'realtime_capture' order by 1",
    );
    expect(rows.map(({ name }) => name)).toEqual(["media", "memories", "share_links"]);
  });

  test("follows the publication", async () => {
    const triggers = async () =>
      (await db.query("select 1 from pg_trigger where tgname = 'realtime_capture' and tgrelid = 'profiles'::regclass"))
        .rows.length;
    await db.exec("alter publication supabase_realtime add table profiles; select realtime.watch_publication();");
    expect(await triggers()).toBe(1);
    await db.exec("alter publication supabase_realtime drop table profiles; select realtime.watch_publication();");
    expect(await triggers()).toBe(0);
  });
});

test("a server that stops ends its sockets at once", async () => {
  const socket = await openSocket(third, "2.0.0");
  const start = Date.now();
  await third.close();
  expect(await socket.closed).toBe(1001);
  expect(Date.now() - start).toBeLessThan(3000);
});
