import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, test } from "vitest";
import type { DownloadReady } from "../../shared/download.ts";
import { type Event, follow } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { guestOf } from "../support/guests.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { open, post } from "../support/sharing.ts";
import { belong, linkTo, memoryOf, say as sayIn } from "../support/talk.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" });

/** Names that occur only in the data of this test. */
const NAMES = ["Ada Arditi", "Bob Bruni", "Gina Galli"];

let ada: Person;
let bob: Person;
let eve: Person;
let memory: string;

beforeAll(async () => {
  await emptyDatabase(server.db);
  [ada, bob, eve] = await Promise.all([
    signUp(server, "Ada Arditi"),
    signUp(server, "Bob Bruni"),
    signUp(server, "Eve Elmi"),
  ]);
  memory = await memoryOf(ada);
  await belong(server, memory, bob, "contributor");
});

const TABLES = {
  stories: "id, title, body, guest_id, moderation, credit:story_credits(name)",
  comments: "id, body, guest_id, moderation, credit:comment_credits(name, words)",
  reactions: "id, kind, guest_id, moderation, credit:reaction_credits(name)",
  story_credits: "*",
  comment_credits: "*",
  reaction_credits: "*",
};

const addLink = (more: object) => linkTo(memory, ada, { rights: "contribute", ...more });

/** Reads everything of a memory that a person may read, as text: its rows, people and notices, and its archive. */
async function readBy(client: SupabaseClient, token: string): Promise<[string, string]> {
  const rows = Object.entries(TABLES).map(
    async ([table, columns]) => (await client.from(table).select(columns).throwOnError()).data,
  );
  const people = await client.rpc("memory_people", { memory_id: memory });
  const notices = await client.from("notices").select("*");
  return [JSON.stringify([await Promise.all(rows), people.data, notices.data]), await archiveOf(token)];
}

async function archiveOf(token: string): Promise<string> {
  const files = await unzip(Buffer.from(await (await fetch(await prepared(token))).arrayBuffer()));
  return files.map(({ path, bytes }) => (path.endsWith(".html") ? bytes.toString() : "")).join("\n");
}

/** Prepares an archive of the memory. Resolves to its URL. */
async function prepared(token: string): Promise<string> {
  for (;;) {
    const download = { memoryId: memory, archive: true };
    const { status, body } = await post(server, "prepare-download", download, { authorization: `Bearer ${token}` });
    if (status === 202) continue;
    expect(status).toBe(200);
    return (body as unknown as DownloadReady).url;
  }
}

/** Follows every change that a client may see, on one channel. */
const heardBy = async (client: SupabaseClient): Promise<Event[]> => (await follow(client, { table: "*" })).events;
const inTable = (events: readonly Event[], name: string) => events.filter(({ table }) => table === name).length;

const namesIn = (text: string) => NAMES.filter((name) => text.includes(name));

const say = (client: SupabaseClient, body: string, more?: object) => sayIn(client, memory, body, more);

/** Adds a story, a comment that mentions a person, a candle and a heart. */
async function addAll(client: SupabaseClient, more: object = {}) {
  await client.from("stories").insert({ memory_id: memory, body: "<p>She sang.</p>" }).throwOnError();
  const comment_id = await say(client, "She sang.", more);
  await client.from("reactions").insert({ memory_id: memory, kind: "candle" }).throwOnError();
  await client.from("reactions").insert({ memory_id: memory, comment_id, kind: "heart" }).throwOnError();
  return comment_id;
}

test("a link that hides names hides them in rows, live updates and archives; members still read them", async () => {
  const [hiding, showing] = [await addLink({ shows_names: false }), await addLink({})];
  const gina = await guestOf(server, showing, { name: "Gina Galli" });
  await addAll(gina.client);
  await addAll(bob.client);

  const tokenOf = async (shareId: string, headers = {}) =>
    String((await post(server, "open-share", { shareId }, headers)).body.token);
  const visitor = await tokenOf(hiding);
  const named = await tokenOf(showing);
  const guest = await guestOf(server, hiding, { name: "Ugo Urbani" });
  const linked = await tokenOf(hiding, { authorization: `Bearer ${eve.token}` });
  const untold = [visitor, guest.token, linked].map((token) => ({ token, client: server.client(token) }));
  const callers = [
    { token: named, client: server.client(named) },
    { token: bob.token, client: bob.client },
  ];
  const heard = await Promise.all([...untold, ...callers].map(({ client }) => heardBy(client)));

  const answered = await addAll(ada.client, { mentions: [bob.id], body: "Was it you, @Bob Bruni?" });
  await say(ada.client, "Yes, @Bob Bruni, you.", { mentions: [bob.id], parent_id: answered });
  for (const { client } of untold.slice(1)) await say(client, "Thank you.");

  const added = Object.keys(TABLES).slice(0, 3);
  await expect
    .poll(() => heard.map((events) => added.map((table) => inTable(events, table))))
    .toEqual(heard.map(() => [1, 4, 2]));
  for (const [index, { client, token }] of untold.entries()) {
    expect(namesIn(JSON.stringify(heard[index]))).toEqual([]);
    const [rows, archive] = await readBy(client, token);
    expect(namesIn(rows + archive)).toEqual([]);
    expect(archive).toContain("Was it you, @…?");
  }
  for (const [index, { client, token }] of callers.entries()) {
    await expect.poll(() => namesIn(JSON.stringify(heard[untold.length + index]))).toEqual(NAMES.slice(0, 2));
    const [rows, archive] = await readBy(client, token);
    expect(namesIn(rows)).toEqual(NAMES);
    expect(namesIn(archive)).toEqual(NAMES);
    expect(archive).toContain("Was it you, @Bob Bruni?");
  }

  // A row that is hidden and shown again reveals no more than before. People can read what they signed themselves.
  for (const moderation of ["hidden", "shown"]) {
    await ada.client.from("comments").update({ moderation }).eq("id", answered).throwOnError();
  }
  await expect.poll(() => inTable(heard[0] ?? [], "comments")).toBeGreaterThan(4);
  expect(namesIn(JSON.stringify(heard[0]))).toEqual([]);
  const signatures = untold.map(async ({ client }) => (await client.from("comment_credits").select("name")).data);
  expect(await Promise.all(signatures)).toEqual([[], [{ name: "Ugo Urbani" }], [{ name: "Eve Elmi" }]]);
});

test("an approved comment reaches open pages with its name, and an edited one with its current mentions", async () => {
  const [moderated, watching] = [await addLink({ moderated: true }), await addLink({})];
  const gina = await guestOf(server, moderated, { name: "Gina Galli" });
  const watcher = server.client(String((await open(server, watching)).body.token));
  const heldStory = await say(gina.client, "I knew her too.");
  const { events } = await follow(watcher, { table: "comment_credits" });
  await ada.client.rpc("moderate", { items: [{ kind: "comment", id: heldStory }], decision: "shown" }).throwOnError();
  await expect
    .poll(() => events.map(({ new: row }) => row))
    .toMatchObject([{ comment_id: heldStory, name: "Gina Galli" }]);

  const read = async (id: string) =>
    (await watcher.from("comments").select("body, credit:comment_credits(name, words)").eq("id", id).single()).data;
  const id = await say(ada.client, "Dear @Bob Bruni", { mentions: [bob.id] });
  expect(await read(id)).toEqual({ body: "Dear @…", credit: { name: "Ada Arditi", words: "Dear @Bob Bruni" } });
  const change = (body: string, mentions: string[]) =>
    ada.client.from("comments").update({ body, mentions }).eq("id", id).throwOnError();
  await change("Dear @Ada Arditi", [ada.id]);
  expect(await read(id)).toEqual({ body: "Dear @…", credit: { name: "Ada Arditi", words: "Dear @Ada Arditi" } });
  await change("Dear all", []);
  expect(await read(id)).toEqual({ body: "Dear all", credit: { name: "Ada Arditi", words: null } });
});

test("a prepared archive is closed when names are hidden, and when a comment in it is hidden or withdrawn", async () => {
  const shareId = await addLink({});
  const shownStory = await say(ada.client, "She sang in winter too.");
  const { token } = (await open(server, shareId)).body;
  const link = (changes: object) =>
    ada.client.from("share_links").update(changes).eq("share_id", shareId).throwOnError();
  const answer = async (url: string) => (await fetch(url, { headers: { range: "bytes=0-9" } })).status;

  const named = await prepared(String(token));
  expect(await answer(named)).toBe(206);
  await link({ shows_names: false });
  expect(await answer(named)).toBe(403);
  const unnamed = await prepared(String(token));
  expect(await answer(unnamed)).toBe(206);

  await ada.client.from("comments").update({ moderation: "hidden" }).eq("id", shownStory).throwOnError();
  expect(await answer(unnamed)).toBe(403);
  const withdrawn = await say(bob.client, "And in spring.");
  const later = await prepared(String(token));
  expect(await answer(later)).toBe(206);
  await bob.client.rpc("withdraw_comment", { comment_id: withdrawn }).throwOnError();
  expect(await answer(later)).toBe(403);
  expect(await answer(await prepared(String(token)))).toBe(206);
});
