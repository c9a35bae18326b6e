import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { changesIn, follow, names } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { openSocket } from "../support/socket.ts";

const server = await testServer();
const { db } = server;
const { rename, visitorOf } = changesIn(server);

let ada: Owner;
let bob: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
  bob = await ownerOf(server, "Party");
});

const SUBSCRIBED = { status: "ok", extension: "postgres_changes" };

/** Joins a channel on a socket whose later tokens the test chooses. */
async function subscribe(token: string, binding: { table?: string; filter?: string }) {
  const socket = await openSocket(server, "2.0.0");
  const postgres_changes = [{ event: "*", schema: "public", ...binding }];
  expect(await socket.join({ access_token: token, config: { postgres_changes } })).toMatchObject({ status: "ok" });
  expect(await socket.heard("system")).toMatchObject(SUBSCRIBED);
  return {
    ...socket,
    renew: (next: string) => socket.tell("realtime:test", "access_token", { access_token: next }),
    events: () => socket.waiting("postgres_changes") as { data: { record: Record<string, unknown> } }[],
  };
}

/** Makes a change. Resolves when its owner has received it, and so everybody who may see it. */
async function changeAndWait(owner: Owner, name: string) {
  const client = server.client(owner.token);
  const { events } = await follow(client);
  await rename(owner, name);
  await expect.poll(() => names(events)).toEqual([name]);
  await client.removeAllChannels();
}

const guestsEmail = { table: "guests", filter: "email=eq.guest@example.com" };
const shareId = () => ({ table: "share_links", filter: `share_id=eq.${ada.shareId}` });

test.each<
  [string, () => Promise<string> | string, () => { table: string; filter?: string }, () => Promise<string> | string]
>([
  ["an owner's filter on share_id, then a visitor's token", () => ada.token, shareId, () => visitorOf(ada)],
  ["an owner's filter on share_id, then the public key", () => ada.token, shareId, () => server.keys.publishable],
  ["the service's filter on share_id, then a visitor's token", () => server.keys.secret, shareId, () => visitorOf(ada)],
  [
    "a visitor's filter on guests' addresses, then an owner's token",
    () => visitorOf(ada),
    () => guestsEmail,
    () => ada.token,
  ],
  ["an owner's table, then a visitor's token", () => ada.token, () => ({ table: "share_links" }), () => visitorOf(ada)],
])("a channel ends if its new token does not permit its binding: %s", async (_what, first, binding, second) => {
  const channel = await subscribe(await first(), binding());
  channel.renew(await second());
  expect(await channel.heard("system")).toMatchObject({
    extension: "postgres_changes",
    status: "error",
    message: expect.stringMatching(/^Unable to subscribe to changes/),
  });
  await channel.heard("phx_close");
  await changeAndWait(ada, "Granny");
  expect(channel.events()).toEqual([]);
  channel.close();
});

test("an owner's filter sends another person none of the owner's rows", async () => {
  const channel = await subscribe(ada.token, shareId());
  channel.renew(bob.token);
  expect(await channel.heard("system")).toMatchObject(SUBSCRIBED);
  await changeAndWait(ada, "Granny");
  expect(channel.events()).toEqual([]);
  channel.close();
});

test("a channel continues with the rows of its new token", async () => {
  const channel = await subscribe(ada.token, { table: "memories", filter: "draft=eq.false" });
  await changeAndWait(ada, "Granny");
  expect(channel.events()).toHaveLength(1);
  channel.renew(await visitorOf(ada));
  expect(await channel.heard("system")).toMatchObject(SUBSCRIBED);
  await changeAndWait(ada, "Nana");
  await changeAndWait(bob, "Feast");
  const [, visible, ...others] = channel.events();
  expect(visible?.data.record.person_name).toBe("Nana");
  expect(others).toEqual([]);
  channel.close();
});

test("a binding to all tables sends a visitor no column that only owners read", async () => {
  const channel = await subscribe(ada.token, {});
  channel.renew(await visitorOf(ada));
  expect(await channel.heard("system")).toMatchObject(SUBSCRIBED);
  await changeAndWait(ada, "Granny");
  expect(channel.events().length).toBeGreaterThan(0);
  for (const { data } of channel.events()) expect(data.record).not.toHaveProperty("share_id");
  channel.close();
});

test("a visitor receives no changes with a token of an old link version, and receives them with one of the new version", async () => {
  const channel = await subscribe(await visitorOf(ada, 1), { table: "memories", filter: `id=eq.${ada.memoryId}` });
  await db.query("update share_links set version = 2 where id = $1", [ada.linkId]);
  await changeAndWait(ada, "Granny");
  channel.renew(await visitorOf(ada, 1));
  expect(await channel.heard("system")).toMatchObject(SUBSCRIBED);
  await changeAndWait(ada, "Nana");
  expect(channel.events()).toEqual([]);
  channel.renew(await visitorOf(ada, 2));
  expect(await channel.heard("system")).toMatchObject(SUBSCRIBED);
  await changeAndWait(ada, "Grandma");
  expect(channel.events().map(({ data }) => data.record.person_name)).toEqual(["Grandma"]);
  channel.close();
});

test.each<[string, () => Promise<string> | string, RegExp]>([
  ["rubbish", () => "x.y.z", /not a valid JWT/],
  ["an expired token", () => server.sign({ ...ada.caller, aud: "authenticated" }, -10), /^Token has expired/],
  ["a token without a session", () => server.sign({ ...ada.caller, session_id: randomUUID() }), /session .* has ended/],
])("a channel that is given %s ends with the reason", async (_what, token, reason) => {
  const channel = await subscribe(ada.token, { table: "memories" });
  channel.renew(await token());
  expect(await channel.heard("system")).toMatchObject({ status: "error", message: expect.stringMatching(reason) });
  await channel.heard("phx_close");
  await changeAndWait(ada, "Granny");
  expect(channel.events()).toEqual([]);
  channel.close();
});
