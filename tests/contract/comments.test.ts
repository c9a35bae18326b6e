import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { QueryClient } from "@tanstack/react-query";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reactionsQuery } from "../../web/features/comments/reactions.queries.ts";
import { noticesQuery } from "../../web/features/notices/notices.queries.ts";
import { follow } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newMemory, open, post } from "../support/sharing.ts";
import { belong, linkTo, memoryOf, say as sayIn } from "../support/talk.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" });
const { db } = server;

let ada: Person;
let bob: Person;
let eve: Person;
let memory: string;

beforeAll(async () => {
  await emptyDatabase(db);
  [ada, bob, eve] = await Promise.all([signUp(server, "Ada"), signUp(server, "Bob"), signUp(server, "Eve")]);
});

beforeEach(async () => {
  await db.query("delete from memories");
  memory = await memoryOf(ada);
  await belong(server, memory, bob, "contributor");
});

/** Creates a link and opens it, anonymously or signed in. Resolves to a client with its token. */
async function byLink(link: object, as?: Person): Promise<SupabaseClient> {
  const shareId = await linkTo(memory, ada, link);
  const { body } = as
    ? await post(server, "open-share", { shareId }, { authorization: `Bearer ${as.token}` })
    : await open(server, shareId);
  return server.client(String(body.token));
}

const say = ({ client }: Pick<Person, "client">, body: string, more?: object) => sayIn(client, memory, body, more);
const read = async (client: SupabaseClient) =>
  (
    await client
      .from("comments")
      .select("id, parent_id, body, moderation, edited_at, deleted_at, mentions, credit:comment_credits(name)")
      .order("created_at")
      .throwOnError()
  ).data ?? [];
const bodies = async (client: SupabaseClient) =>
  ((await client.from("comments").select("body").order("created_at").throwOnError()).data ?? []).map(
    ({ body }) => body,
  );

describe("a conversation", () => {
  test("Spec §1: is signed with its people's names, and has two levels no matter who answers whom", async () => {
    const first = await say(ada, "She sang.");
    const answer = await say(bob, "Always.", { parent_id: first });
    await say(ada, "In winter too.", { parent_id: answer });
    expect(await read(bob.client)).toMatchObject([
      { body: "She sang.", credit: { name: "Ada" }, parent_id: null },
      { body: "Always.", credit: { name: "Bob" }, parent_id: first },
      { body: "In winter too.", credit: { name: "Ada" }, parent_id: first },
    ]);
    expect(await read(eve.client)).toEqual([]);
  });

  test("stores comments as plain text of up to 5,000 characters", async () => {
    const hostile = `<img src=x onerror="alert(1)">\n'; drop table comments; -- 🕯 https://example.com`;
    await say(ada, hostile);
    await say(ada, "🕯".repeat(5000));
    expect(await bodies(ada.client)).toEqual([hostile, "🕯".repeat(5000)]);
    for (const body of ["x".repeat(5001), "", " \n "]) {
      expect(await ada.client.from("comments").insert({ memory_id: memory, body })).toMatchObject({
        error: { code: "23514" },
      });
    }
  });

  test("stores a comment that is sent several times once", async () => {
    const row = { id: randomUUID(), memory_id: memory, body: "She sang." };
    const send = () => bob.client.from("comments").upsert(row, { onConflict: "id", ignoreDuplicates: true });
    const sent = await Promise.all([send(), send(), send()]);
    expect(sent.map(({ error }) => error)).toEqual([null, null, null]);
    expect(await bodies(ada.client)).toEqual(["She sang."]);
  });

  test("refuses a parent of another memory, an unknown photo, another author and a moderation state", async () => {
    const data = await newMemory(eve.client, { person_name: "Hugo" });
    const elsewhere = await say(eve, "Not here.", { memory_id: data.id });
    const to = (more: object) => bob.client.from("comments").insert({ memory_id: memory, body: "Hm.", ...more });
    expect(await to({ parent_id: elsewhere })).toMatchObject({ status: 404 });
    expect((await to({ media_id: randomUUID() })).error).not.toBeNull();
    expect((await to({ user_id: ada.id })).error).toMatchObject({ code: "42501" });
    expect((await to({ moderation: "shown" })).error).toMatchObject({ code: "42501" });
  });

  test("mentions only people of the memory, whose list visitors cannot read", async () => {
    await say(bob, "@Ada @Eve", { mentions: [ada.id, eve.id] });
    expect((await read(ada.client))[0]?.mentions).toEqual([ada.id]);
    const { data } = await bob.client.rpc("memory_people", { memory_id: memory });
    expect(data).toEqual([
      { id: ada.id, name: "Ada", role: "owner" },
      { id: bob.id, name: "Bob", role: "contributor" },
    ]);
    expect((await eve.client.rpc("memory_people", { memory_id: memory })).data).toEqual([]);
    for (const linked of [await byLink({ rights: "comment" }, eve), await byLink({ rights: "comment" })]) {
      expect(await linked.rpc("memory_people", { memory_id: memory })).toMatchObject({ error: null, data: [] });
    }
  });
});

describe("who may take part", () => {
  test.each(["view", "comment"])("a visitor by a %s link reads, but cannot write", async (rights) => {
    await say(ada, "She sang.");
    const visitor = await byLink({ rights });
    expect(await bodies(visitor)).toEqual(["She sang."]);
    expect((await visitor.from("comments").insert({ memory_id: memory, body: "Hm." })).error).not.toBeNull();
    expect((await visitor.from("reactions").insert({ memory_id: memory, kind: "candle" })).error).not.toBeNull();
  });

  test("Spec §6: signed in by a link to comment, a person speaks as themselves; by one to view, not at all", async () => {
    const linked = await byLink({ rights: "comment" }, eve);
    await say({ client: linked }, "I knew her too.");
    expect(await read(ada.client)).toMatchObject([{ credit: { name: "Eve" }, moderation: "shown" }]);
    const looking = await byLink({ rights: "view" }, eve);
    expect(await looking.from("comments").insert({ memory_id: memory, body: "Hm." })).toMatchObject({
      error: { code: "42501" },
    });
    expect((await eve.client.from("comments").insert({ memory_id: memory, body: "Hm." })).error).not.toBeNull();
  });

  test("a comment by a moderated link waits for approval, and again after an edit", async () => {
    const linked = await byLink({ rights: "comment", moderated: true }, eve);
    const id = await say({ client: linked }, "I knew her too.");
    expect(
      [await bodies(linked), await bodies(ada.client), await bodies(bob.client)].map(({ length }) => length),
    ).toEqual([1, 1, 0]);
    const verdict = (moderation: string, client: SupabaseClient) =>
      client.from("comments").update({ moderation }).eq("id", id);
    expect((await verdict("shown", linked)).error).toMatchObject({ code: "42501" });
    expect((await verdict("shown", ada.client)).error).toBeNull();
    expect(await bodies(bob.client)).toEqual(["I knew her too."]);
    await linked.from("comments").update({ body: "Buy this." }).eq("id", id).throwOnError();
    expect(await bodies(bob.client)).toEqual([]);
  });
});

describe("changes and deletions", () => {
  test("only the author can edit a comment, which is then marked as edited", async () => {
    const id = await say(bob, "She sung.");
    await bob.client.from("comments").update({ body: "She sang." }).eq("id", id).throwOnError();
    expect(await read(ada.client)).toMatchObject([{ body: "She sang.", edited_at: expect.any(String) }]);
    expect((await ada.client.from("comments").update({ body: "No." }).eq("id", id)).error).toMatchObject({
      code: "42501",
    });
    expect((await bob.client.from("comments").update({ deleted_at: null }).eq("id", id)).error).not.toBeNull();
  });

  test("a withdrawn comment with answers keeps its place until the last answer is withdrawn", async () => {
    const first = await say(bob, "She sang.");
    const answer = await say(ada, "Always.", { parent_id: first });
    await bob.client.from("reactions").insert({ memory_id: memory, comment_id: first, kind: "heart" }).throwOnError();
    const withdraw = ({ client }: Person, comment_id: string) => client.rpc("withdraw_comment", { comment_id });
    expect(await withdraw(eve, first)).toMatchObject({ status: 404 });
    expect(await withdraw(bob, answer)).toMatchObject({ status: 404 });
    expect((await withdraw(bob, first)).error).toBeNull();
    expect(await read(bob.client)).toMatchObject([
      { body: "", credit: null, deleted_at: expect.any(String) },
      { body: "Always." },
    ]);
    expect((await bob.client.from("reactions").select("id")).data).toEqual([]);
    expect((await bob.client.from("comments").update({ body: "Again." }).eq("id", first)).error).not.toBeNull();
    expect((await withdraw(ada, answer)).error).toBeNull();
    expect(await read(bob.client)).toEqual([]);
  });

  test("a manager can hide a whole thread by its first comment, and withdraw other people's comments", async () => {
    const first = await say(bob, "Hm.");
    await say(ada, "Please not here.", { parent_id: first });
    await ada.client.from("comments").update({ moderation: "hidden" }).eq("id", first).throwOnError();
    await belong(server, memory, eve, "viewer");
    expect([await bodies(eve.client), await bodies(bob.client)]).toEqual([[], ["Hm."]]);
    expect(await eve.client.from("comments").insert({ memory_id: memory, body: "?", parent_id: first })).toMatchObject({
      error: expect.anything(),
    });
    await ada.client.rpc("withdraw_comment", { comment_id: first }).throwOnError();
    expect(await read(ada.client)).toMatchObject([{ body: "" }, { body: "Please not here." }]);
  });

  test("a former member can still withdraw their comment", async () => {
    const id = await say(bob, "She sang.");
    await bob.client.from("memory_members").delete().eq("user_id", bob.id).throwOnError();
    await bob.client.rpc("withdraw_comment", { comment_id: id }).throwOnError();
    expect(await read(ada.client)).toEqual([]);
  });
});

test("a person lights one candle under their name, and they or a manager can remove it", async () => {
  const candle = { memory_id: memory, kind: "candle" };
  await ada.client.from("reactions").insert(candle).throwOnError();
  await bob.client.from("reactions").insert(candle).throwOnError();
  expect(await bob.client.from("reactions").insert(candle)).toMatchObject({ error: { code: "23505" } });
  const names = async () => (await ada.client.from("reaction_credits").select("name").order("name")).data;
  expect(await names()).toEqual([{ name: "Ada" }, { name: "Bob" }]);
  const remove = ({ client }: Person, of: Person) =>
    client.from("reactions").delete().eq("memory_id", memory).eq("user_id", of.id).throwOnError();
  await remove(bob, ada);
  expect(await names()).toEqual([{ name: "Ada" }, { name: "Bob" }]);
  await remove(bob, bob);
  expect(await names()).toEqual([{ name: "Ada" }]);
  await bob.client.from("reactions").insert(candle).throwOnError();
  await remove(ada, bob);
  expect(await names()).toEqual([{ name: "Ada" }]);
});

test("the candle count includes more candles than one response holds", async () => {
  await db.query("insert into reactions (memory_id, kind) select $1, 'candle' from generate_series(1, 1001)", [memory]);
  const read = await new QueryClient().fetchQuery(reactionsQuery(bob.client, { memoryId: memory, mediaId: null }));
  expect(new Set(read.rows.map(({ id }) => id)).size).toBe(1001);
});

test("new and deleted comments are sent live only to people who can see the memory", async () => {
  const visitor = await byLink({ rights: "view" });
  const filter = `memory_id=eq.${memory}`;
  const [heard, unheard] = await Promise.all(
    [visitor, eve.client].map((client) => follow(client, { table: "comments", filter })),
  );
  const id = await say(bob, "She sang.");
  await expect.poll(() => heard?.events).toMatchObject([{ eventType: "INSERT", new: { id, body: "She sang." } }]);
  await bob.client.rpc("withdraw_comment", { comment_id: id }).throwOnError();
  await expect.poll(() => heard?.events).toMatchObject([{}, { eventType: "DELETE", old: { id } }]);
  expect(unheard?.events).toEqual([]);
});

test("notices of the same moment are each read once across pages", async () => {
  const many = Array.from({ length: 53 }, (_, number) => ({ memory_id: memory, body: `${number}` }));
  await ada.client.from("comments").insert(many).throwOnError();
  const read = await new QueryClient().fetchInfiniteQuery({ ...noticesQuery(bob.client, bob.id), pages: 2 });
  expect(read.pages.map(({ length }) => length)).toEqual([50, 3]);
  expect(new Set(read.pages.flat().map(({ id }) => id)).size).toBe(53);
});
