import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { changesIn, closing, follow, names } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { LONG } from "../support/long-tests.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { ANY_JOIN, openSocket } from "../support/socket.ts";

const server = await testServer();
const stopping = await testServer({}, server);
const { db } = server;
const { rename, visitorOf } = changesIn(server);

const clientOf = (bearer?: string | (() => string)) => closing(server.client(bearer));

let ada: Owner;
let bob: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
  bob = await ownerOf(server, "Party");
});

describe("tokens", () => {
  test("a channel whose token expires is closed with the reason", async () => {
    const { states, system } = await follow(clientOf(await visitorOf(ada, 1, 8)));
    await expect.poll(() => states).toContain("CLOSED");
    expect(system.at(-1)).toMatchObject({ status: "error", message: expect.stringMatching(/^Token has expired/) });
  });

  test.runIf(LONG)("a channel whose token is renewed in time stays open", async () => {
    let token = await visitorOf(ada, 1, 8);
    const client = clientOf(() => token);
    const { states, events } = await follow(client);
    token = await visitorOf(ada, 1, 3600);
    await client.realtime.setAuth();
    const other = await follow(clientOf(await visitorOf(ada, 1, 8)));
    await expect.poll(() => other.states).toContain("CLOSED");
    expect(states).toEqual(["SUBSCRIBED"]);
    await rename(ada, "Granny");
    await expect.poll(() => names(events)).toEqual(["Granny"]);
  });

  test("a channel receives changes with the permissions of its newest token", async () => {
    let token = bob.token;
    const client = clientOf(() => token);
    const { events } = await follow(client);
    token = ada.token;
    await client.realtime.setAuth();
    const owner = await follow(clientOf(ada.token));
    await rename(bob, "Feast");
    await rename(ada, "Granny");
    await expect.poll(() => names(owner.events)).toEqual(["Granny"]);
    await expect.poll(() => names(events)).toEqual(["Granny"]);
  });

  test.each([
    ["a malformed token", async () => "x.y.z"],
    ["an expired token", async () => server.sign({ role: "authenticated", sub: randomUUID() }, -10)],
  ])("%s cannot join a channel", async (_what, token) => {
    const socket = await openSocket(server, "2.0.0");
    expect(await socket.join({ ...ANY_JOIN, access_token: await token() })).toMatchObject({
      status: "error",
      response: { reason: expect.stringMatching(/JWT/) },
    });
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

  test("a connection without a key, with a wrong key or of an unknown version is refused", async () => {
    const url = server.url.replace("http", "ws");
    const { publishable } = server.keys;
    for (const query of ["vsn=2.0.0", "vsn=2.0.0&apikey=wrong", `vsn=9.0.0&apikey=${publishable}`]) {
      await expect(openSocket(server, "2.0.0", `${url}/realtime/v1/websocket?${query}`)).rejects.toThrow(/40[01]/);
    }
  });

  test.each<[string, object]>([
    ["acknowledged broadcasts", { ...ANY_JOIN.config, broadcast: { ack: true } }],
    ["own broadcasts", { ...ANY_JOIN.config, broadcast: { self: true } }],
    ["broadcasts of before", { ...ANY_JOIN.config, broadcast: { replay: { since: 1 } } }],
    ["presence", { ...ANY_JOIN.config, presence: { enabled: true } }],
    ["privacy", { ...ANY_JOIN.config, private: true }],
    ["chosen columns", { postgres_changes: [{ ...ANY_JOIN.config.postgres_changes[0], select: ["id"] }] }],
    ["no changes of rows", { broadcast: { ack: false, self: false }, presence: { key: "", enabled: false } }],
  ])("a channel with %s is refused, as not supported", async (_what, config) => {
    const socket = await openSocket(server, "2.0.0");
    expect(await socket.join({ access_token: ada.token, config })).toEqual({
      status: "error",
      response: { reason: expect.stringMatching(/^not_supported: This server does not offer .*\.$/) },
    });
    socket.close();
  });

  test("a message to other clients is refused, and a broadcast ends its channel", async () => {
    const socket = await openSocket(server, "2.0.0");
    await socket.join(ANY_JOIN);
    const refused = expect.stringMatching(/^not_supported: This server does not offer /);
    for (const event of ["presence", "broadcast"]) {
      expect(await socket.ask("realtime:test", event, { type: event, event: "x", payload: {} })).toMatchObject({
        status: "error",
        response: { reason: refused },
      });
    }
    await expect
      .poll(() => socket.waiting("system"))
      .toContainEqual(expect.objectContaining({ status: "error", message: refused }));
    await socket.heard("phx_close");
    socket.close();
  });

  test.each([true, false])("the client never reports a broadcast as sent, acknowledged: %s", async (ack) => {
    const channel = clientOf().channel("talk", { config: { broadcast: { ack } } });
    const message = { type: "broadcast", event: "x", payload: { hello: 1 } } as const;
    const joined = new Promise((resolve) => channel.subscribe((state, error) => resolve([state, error?.message])));
    expect(await joined).toEqual(["CHANNEL_ERROR", expect.stringMatching(/^not_supported: /)]);
    expect(await channel.send(message)).toBe("error");
    await expect(clientOf().channel("talk").httpSend("x", {})).rejects.toThrow("does not offer broadcasts");
  });

  test("a malformed message closes the socket, and the server keeps working", async () => {
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
    await expect.poll(() => names(events)).toEqual(["Granny"]);
  });

  test("the channels of a socket and the changes that a channel asks for are limited", async () => {
    const socket = await openSocket(server, "2.0.0");
    for (let i = 0; i < 100; i++) expect(await socket.join(ANY_JOIN, `realtime:${i}`)).toMatchObject({ status: "ok" });
    expect(await socket.join(ANY_JOIN, "realtime:more")).toMatchObject({
      status: "error",
      response: { reason: expect.stringContaining("Too many channels") },
    });
    socket.close();
    const wishes = Array(51).fill({ event: "*", schema: "public", table: "memories" });
    const other = await openSocket(server, "2.0.0");
    expect(await other.join({ config: { postgres_changes: wishes } })).toMatchObject({ status: "error" });
    other.close();
  });

  test("joining a topic again closes the first channel", async () => {
    const socket = await openSocket(server, "2.0.0");
    await socket.join(ANY_JOIN);
    await socket.join(ANY_JOIN);
    await socket.heard("phx_close");
    socket.close();
  });
});

describe("the database", () => {
  test("has one trigger for each published table, however often a server starts", async () => {
    const { rows } = await db.query(
      `select tgrelid::regclass::text as name from pg_trigger where tgname = 'realtime_capture' order by 1`,
    );
    const published = await db.query(
      `select format('%I', tablename) as name from pg_publication_tables where pubname = 'supabase_realtime' order by 1`,
    );
    expect(rows).toEqual(published.rows);
    expect(rows).toContainEqual({ name: "memories" });
  });

  test("has triggers only for tables in the publication, as those change", async () => {
    const triggers = async () =>
      (await db.query("select 1 from pg_trigger where tgname = 'realtime_capture' and tgrelid = 'profiles'::regclass"))
        .rows.length;
    await db.exec("alter publication supabase_realtime add table profiles; select realtime.watch_publication();");
    expect(await triggers()).toBe(1);
    await db.exec("alter publication supabase_realtime drop table profiles; select realtime.watch_publication();");
    expect(await triggers()).toBe(0);
  });
});

test("a stopping server closes its sockets", async () => {
  const socket = await openSocket(stopping, "2.0.0");
  await stopping.close();
  expect(await socket.closed).toBe(1001);
});
