import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { follow } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newRow, post } from "../support/sharing.ts";

const server = await testServer();
const { db } = server;

let ada: Person;
let bob: Person;
let eve: Person;
let cora: Person;
let memory: string;
let share: string;
let moderated: SupabaseClient;

beforeAll(async () => {
  await emptyDatabase(db);
  [ada, bob, eve, cora] = (await Promise.all(["Ada", "Bob", "Eve", "Cora"].map((name) => signUp(server, name)))) as [
    Person,
    Person,
    Person,
    Person,
  ];
});

beforeEach(async () => {
  await db.query("delete from memories");
  memory = (await newRow(ada.client, "memories", { person_name: "Rosa" })).id;
  await belongs(bob, "contributor");
  await belongs(cora, "co-owner");
  const link = { memory_id: memory, rights: "contribute", moderated: true, label: "For the cousins" };
  share = (await newRow(ada.client, "share_links", link, "share_id")).share_id;
  moderated = server.client(await opens(eve));
});

const belongs = ({ id }: Person, role: string) =>
  db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", [memory, id, role]);
const knock = (as?: Person, body: object = {}) =>
  post(server, "open-share", { shareId: share, ...body }, as && { authorization: `Bearer ${as.token}` });
const opens = async (as?: Person) => String((await knock(as)).body.token);

async function say(client: SupabaseClient, body: string) {
  const id = randomUUID();
  await client.from("comments").insert({ id, memory_id: memory, body }).throwOnError();
  return { kind: "comment", id };
}
const shownTo = async (client: SupabaseClient) =>
  ((await client.from("comments").select("body").eq("moderation", "shown").order("body")).data ?? []).map(
    (row) => row.body,
  );
const moderate = ({ client }: Person, items: object[], decision: string) => client.rpc("moderate", { items, decision });
const block = ({ client }: Person, more: object) => client.rpc("block_person", { memory_id: memory, ...more });

describe("a held contribution", () => {
  test("is listed for the managers, with who added it and by which link", async () => {
    const { id } = await say(moderated, "I knew her too.");
    await moderated
      .from("stories")
      .insert({ memory_id: memory, title: "Her garden", body: "<p>Roses.</p>" })
      .throwOnError();
    const queue = await cora.client.rpc("moderation_queue", { memory_id: memory, state: "held" });
    expect(queue.data).toMatchObject([
      { kind: "comment", id, name: "Eve", user_id: eve.id, link_label: "For the cousins", words: "I knew her too." },
      { kind: "story", title: "Her garden", name: "Eve", link_label: "For the cousins" },
    ]);
    expect((await ada.client.rpc("waiting_counts")).data).toEqual([{ memory_id: memory, count: 2 }]);
    for (const { client } of [bob, eve]) {
      expect((await client.rpc("moderation_queue", { memory_id: memory, state: "held" })).data).toEqual([]);
      expect((await client.rpc("waiting_counts")).data).toEqual([]);
    }
    expect((await server.client().rpc("waiting_counts")).error).not.toBeNull();
  });

  test("is decided once: a second manager's answer finds it decided and changes nothing", async () => {
    const item = { ...(await say(moderated, "I knew her too.")), was: "held" };
    expect((await moderate(ada, [item], "shown")).data).toEqual([item]);
    expect(await moderate(cora, [item], "hidden")).toMatchObject({ error: null, data: [] });
    expect(await shownTo(bob.client)).toEqual(["I knew her too."]);
    // An undone decision waits again, and an unknown id has no effect.
    expect(
      (
        await moderate(
          ada,
          [
            { ...item, was: "shown" },
            { ...item, id: randomUUID() },
          ],
          "held",
        )
      ).data,
    ).toHaveLength(1);
    expect(await shownTo(bob.client)).toEqual([]);
  });

  test("can be decided only by managers, and only as shown, held or hidden", async () => {
    const item = await say(moderated, "I knew her too.");
    // Managing another memory gives no right.
    await newRow(eve.client, "memories", { person_name: "Another" });
    for (const client of [bob.client, eve.client, moderated]) {
      expect(await client.rpc("moderate", { items: [item], decision: "shown" })).toMatchObject({
        error: null,
        data: [],
      });
    }
    expect((await server.client().rpc("moderate", { items: [item], decision: "shown" })).error?.code).toBe("42501");
    expect((await moderate(ada, [item], "deleted")).status).toBe(400);
    expect((await ada.client.rpc("moderation_queue", { memory_id: memory, state: "held" })).data).toHaveLength(1);
  });
});

test("hidden content disappears from open pages, which receive only its id", async () => {
  const said = await say(ada.client, "Not for everyone.");
  const heard = await follow(moderated, {
    table: "memory_withdrawals",
    event: "INSERT",
    filter: `memory_id=eq.${memory}`,
  });
  await moderate(cora, [said], "hidden").throwOnError();
  await expect
    .poll(() => heard.events.map(({ new: row }) => row))
    .toEqual([expect.objectContaining({ kind: "comment", ids: [said.id] })]);
  expect(await shownTo(moderated)).toEqual([]);
});

test("hearts of a hidden photo are told to nobody but managers, and one that waits only to its author", async () => {
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: "olive" } })
    .png()
    .toBuffer();
  const name = `${memory}/${randomUUID()}.png`;
  expect((await ada.client.storage.from("media").upload(name, photo)).error).toBeNull();
  const media = await ada.client.from("media").select("id").eq("object_name", name).single().throwOnError();
  const heart = { memory_id: memory, media_id: media.data.id, kind: "heart" };
  for (const { client } of [ada, bob]) await client.from("reactions").insert(heart).throwOnError();
  await moderated.from("reactions").insert(heart).throwOnError();
  const hearts = async (client: SupabaseClient) =>
    (await client.from("reactions").select("id").match(heart).throwOnError()).data?.length;
  expect(await Promise.all([hearts(ada.client), hearts(moderated), hearts(bob.client)])).toEqual([3, 3, 2]);
  await moderate(cora, [{ kind: "media", id: media.data.id }], "hidden").throwOnError();
  expect(await Promise.all([hearts(ada.client), hearts(moderated), hearts(bob.client)])).toEqual([3, 0, 0]);
});

describe("a blocked person", () => {
  test("loses membership, link token, media URLs and live updates at once", async () => {
    const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
      .jpeg()
      .toBuffer();
    const name = `${memory}/${randomUUID()}.jpg`;
    await ada.client.storage.from("media").upload(name, photo, { contentType: "image/jpeg" });
    const bobs = server.client(await opens(bob));
    const urls = await Promise.all(
      [bob.client, bobs].map((client) => client.storage.from("media").createSignedUrl(name, 60)),
    );
    await say(bob.client, "Mine.");
    const heard = await follow(bobs, { table: "comments" });
    const blocked = await block(ada, { person: bob.id, hide: true }).throwOnError();
    expect(blocked.data.hidden).toMatchObject([{ kind: "comment", was: "shown" }]);
    for (const client of [bob.client, bobs]) {
      expect((await client.from("memories").select("id")).data ?? []).toEqual([]);
      expect((await client.from("comments").select("id")).data ?? []).toEqual([]);
      expect((await client.storage.from("media").download(name)).error).not.toBeNull();
    }
    for (const { data } of urls) expect((await fetch(data?.signedUrl ?? "")).ok).toBe(false);
    await say(ada.client, "He hears nothing of this.");
    await say(cora.client, "Nor of this.");
    const last = await follow(ada.client, { table: "comments" });
    await say(ada.client, "The last.");
    await expect.poll(() => last.events.length).toBe(1);
    expect(heard.events).toEqual([]);
    expect(await shownTo(cora.client)).not.toContain("Mine.");
  });

  test("gets the answer of an unknown link", async () => {
    await say(moderated, "I knew her too.");
    await block(cora, { person: eve.id }).throwOnError();
    const asEve = { authorization: `Bearer ${eve.token}` };
    for (const body of [{}, { pin: "0417" }]) {
      const answer = await post(server, "open-share", { shareId: share, ...body }, asEve);
      expect(answer).toEqual(await post(server, "open-share", { shareId: `no${share.slice(2)}`, ...body }, asEve));
    }
    expect((await knock()).status).toBe(200);
    expect((await knock(bob)).status).toBe(200);
  });

  test("cannot return by an invitation, and is a member again once unblocked", async () => {
    const invitation = { memory_id: memory, email: bob.email, role: "co-owner" };
    const open = await newRow(ada.client, "invitations", invitation);
    const answers = await Promise.all([
      block(ada, { person: bob.id }),
      bob.client.rpc("answer_invitation", { invitation_id: open.id, accept: true }),
    ]);
    expect(answers[0].error).toBeNull();
    expect((await bob.client.from("memories").select("id")).data).toEqual([]);
    const again = await newRow(ada.client, "invitations", invitation);
    expect((await bob.client.rpc("my_invitations")).data).toEqual([]);
    expect((await bob.client.rpc("answer_invitation", { invitation_id: again.id, accept: true })).status).toBe(404);
    const [entry] = (await cora.client.from("memory_blocks").select("id, name")).data ?? [];
    expect(entry).toMatchObject({ name: "Bob" });
    expect((await bob.client.from("memory_blocks").select("id")).data).toEqual([]);
    await ada.client.rpc("unblock_person", { block_id: entry?.id }).throwOnError();
    await ada.client.rpc("unblock_person", { block_id: entry?.id }).throwOnError();
    expect((await bob.client.from("memories").select("id")).data).toEqual([{ id: memory }]);
  });

  test("is never the owner, and is a co-owner only if the owner blocks them", async () => {
    expect((await block(cora, { person: ada.id })).error?.code).toBe("42501");
    await say(moderated, "x");
    expect((await block(bob, { person: eve.id })).status).toBe(404);
    const dan = await signUp(server, "Dan");
    await belongs(dan, "co-owner");
    expect((await block(cora, { person: dan.id })).error?.code).toBe("42501");
    expect((await block(ada, { person: dan.id })).error).toBeNull();
    expect((await block(ada, { person: (await signUp(server, "Nobody here")).id })).status).toBe(404);
  });
});

describe("a report", () => {
  const send = (body: object, token?: string) =>
    post(server, "report", { reason: "hurtful", ...body }, token ? { authorization: `Bearer ${token}` } : {});

  test("from anyone who sees the content is emailed, escaped, and hides nothing", async () => {
    const said = await say(ada.client, "Something.");
    const reportText = "Please <b>look</b>";
    const answer = await send({ ...said, words: reportText, email: "x@example.com" }, await opens());
    expect(answer.status).toBe(202);
    expect((await send({ kind: "memory", id: memory }, bob.token)).status).toBe(202);
    const { rows } = await db.query<{ recipient: string; props: { html: string } }>(
      "select recipient, props from private.outbox where template = 'note' order by created_at",
    );
    expect(rows.map(({ recipient }) => recipient)).toEqual(["info@skies.example", "info@skies.example"]);
    expect(rows[0]?.props.html).toContain("Please &lt;b&gt;look&lt;/b&gt;");
    expect(rows[0]?.props.html).toContain(`/memory/${memory}`);
    expect(await shownTo(bob.client)).toEqual(["Something."]);
    expect((await bob.client.from("reports").select("kind, reason")).data).toEqual([
      { kind: "memory", reason: "hurtful" },
    ]);
    expect((await ada.client.from("reports").select("kind")).data).toEqual([]);
  });

  test("is read and settled only by administrators, whose identity the reporter cannot read", async () => {
    const { body } = await send({ kind: "memory", id: memory, words: "Please look." }, bob.token);
    const settle = (client: SupabaseClient, change: object = { outcome: "acted" }) =>
      client
        .from("reports")
        .update(change)
        .eq("id", body.id as string)
        .select("outcome, settled_at");
    const admin = server.client(
      await server.sign({ role: "authenticated", sub: ada.id, aal: "aal2", app_metadata: { role: "admin" } }),
    );
    const read = await admin
      .from("reports")
      .select("kind, words, user_id, outcome")
      .eq("id", body.id as string);
    expect(read.data).toEqual([{ kind: "memory", words: "Please look.", user_id: bob.id, outcome: null }]);
    for (const { client } of [bob, ada]) expect((await settle(client)).data).toEqual([]);
    expect((await settle(admin, { words: "Other words" })).error?.code).toBe("42501");
    expect((await settle(admin)).data).toEqual([{ outcome: "acted", settled_at: expect.any(String) }]);
    expect(
      (
        await bob.client
          .from("reports")
          .select("outcome")
          .eq("id", body.id as string)
      ).data,
    ).toEqual([{ outcome: "acted" }]);
    expect((await bob.client.from("reports").select("settled_by")).error?.code).toBe("42501");
    const { rows } = await db.query("select settled_by from reports where id = $1", [body.id]);
    expect(rows).toEqual([{ settled_by: ada.id }]);
    expect((await settle(admin, { outcome: null })).data).toEqual([{ outcome: null, settled_at: null }]);
  });

  test("of a memory can come by an upload-only link, but not one of content that the link hides", async () => {
    const link = { memory_id: memory, rights: "upload" };
    const only = await newRow(ada.client, "share_links", link, "share_id");
    const { body } = await post(server, "open-share", { shareId: only.share_id });
    const said = await say(ada.client, "Something.");
    expect((await send({ kind: "memory", id: memory }, String(body.token))).status).toBe(202);
    expect((await send(said, String(body.token))).status).toBe(404);
  });

  test("is refused for content that the reporter cannot see, when too long and when too frequent", async () => {
    const stranger = await signUp(server, "Stranger");
    const said = await say(ada.client, "Something.");
    expect((await send(said, stranger.token)).status).toBe(404);
    expect((await send({ kind: "memory", id: memory })).status).toBe(404);
    expect((await send({ ...said, words: "x".repeat(2001) }, bob.token)).status).toBe(400);
    const many = await Promise.all(Array.from({ length: 12 }, () => send({ kind: "memory", id: memory }, cora.token)));
    expect(many.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});
