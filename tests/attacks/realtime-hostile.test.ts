import { beforeAll, expect, test } from "vitest";
import { changesIn, follow, names } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { joinsForUnknownTables, joinsWithManyFilters, sendHostile } from "../support/hostile-sockets.ts";
import { LONG } from "../support/long-tests.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { ANY_JOIN, openSocket } from "../support/socket.ts";

const server = await testServer();
const { rename } = changesIn(server);

let ada: Owner;
beforeAll(async () => {
  await emptyDatabase(server.db);
  ada = await ownerOf(server, "Grandmother");
});

const onSockets = (count: number, messages: string[]) =>
  Promise.all(Array.from({ length: count }, () => sendHostile(server, messages)));

test("every join for an unknown table is refused with a reason", async () => {
  const { replies } = await sendHostile(server, joinsForUnknownTables(100));
  expect(replies).toHaveLength(100);
  for (const { status, response } of replies) {
    expect(status).toBe("error");
    expect(response.reason).toMatch(/does not exist/);
  }
});

test("joins beyond the rate limit are refused with the protocol's reason", async () => {
  const socket = await openSocket(server, "2.0.0");
  const joinMany = () => Promise.all(Array.from({ length: 150 }, () => socket.join(ANY_JOIN, "realtime:same")));
  // Repeated, because a slower machine allows more joins in the time that they take.
  await expect.poll(joinMany).toContainEqual({
    status: "error",
    response: { reason: "ClientJoinRateLimitReached: Too many joins per second" },
  });
  socket.close();
});

test("a client that sends too many messages a second is disconnected with the reason", async () => {
  const socket = await openSocket(server, "2.0.0");
  await socket.join(ANY_JOIN);
  expect(await socket.heard("system")).toMatchObject({ status: "ok" });
  const flood = async () => {
    // Many in parallel until the socket is closed, so that the limit is reached on a slow machine too.
    for (;;) await Promise.all(Array.from({ length: 100 }, () => socket.ask("phoenix", "heartbeat", {})));
  };
  flood().catch(() => {});
  expect(await socket.heard("system")).toMatchObject({ status: "error", message: "Too many messages per second" });
  await socket.heard("phx_close");
  expect(await socket.closed).toBe(1008);
});

test("a socket's bindings and filters have limits across its channels, which a leave frees", async () => {
  const socket = await openSocket(server, "2.0.0");
  const bindings = Array(50).fill({ event: "*", schema: "public", table: "memories" });
  const joinAt = (index: number) => socket.join({ config: { postgres_changes: bindings } }, `realtime:${index}`);
  for (let index = 0; index < 10; index++) expect(await joinAt(index)).toMatchObject({ status: "ok" });
  expect(await joinAt(10)).toMatchObject({
    status: "error",
    response: { reason: expect.stringContaining("ChannelRateLimitReached") },
  });
  await socket.ask("realtime:3", "phx_leave", {});
  expect(await joinAt(10)).toMatchObject({ status: "ok" });
  socket.close();
});

test.each([
  ["a filter that is too long", `person_name=eq.${"x".repeat(5000)}`],
  ["a filter with too many conditions", Array(11).fill("draft=eq.true").join(",")],
])("%s is refused", async (_what, filter) => {
  const socket = await openSocket(server, "2.0.0");
  const postgres_changes = [{ event: "*", schema: "public", table: "memories", filter }];
  expect(await socket.join({ config: { postgres_changes } })).toMatchObject({ status: "error" });
  socket.close();
});

test("a table published after the start is found by a join, also while others ask for unknown ones", async () => {
  await server.db.exec(`create table late_news (id uuid primary key); grant select on late_news to anon;
    alter publication supabase_realtime add table late_news; select realtime.watch_publication();`);
  const attack = onSockets(2, joinsForUnknownTables(100));
  const socket = await openSocket(server, "2.0.0");
  const postgres_changes = [{ event: "*", schema: "public", table: "late_news" }];
  await expect.poll(() => socket.join({ config: { postgres_changes } })).toMatchObject({ status: "ok" });
  socket.close();
  await attack;
});

test.runIf(LONG)("a thousand open filters on one table do not keep a change from a filter that matches", async () => {
  const client = server.client(ada.token);
  const { events } = await follow(client, { filter: "person_name=eq.Granny" });
  const [join = ""] = joinsWithManyFilters(1);
  // Fifty long filters are about as many as one socket may have.
  const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(server, "2.0.0")));
  for (const socket of sockets) {
    expect(await socket.join(JSON.parse(join)[4])).toMatchObject({ status: "ok" });
    expect(await socket.heard("system")).toMatchObject({ status: "ok" });
  }
  await rename(ada, "Granny");
  await expect.poll(() => names(events)).toEqual(["Granny"]);
  for (const socket of sockets) {
    expect(socket.waiting("postgres_changes")).toEqual([]);
    socket.close();
  }
  await client.removeAllChannels();
});
