import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openTus } from "../../web/media/uploads/tus-transport.ts";
import { inMemory } from "../../web/media/uploads/upload-transport.ts";
import { follow } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { guestOf } from "../support/guests.ts";
import { type Person, signUp } from "../support/people.ts";
import { privateMovie } from "../support/private-movie.ts";
import { testServer } from "../support/server.ts";
import { newRow, post } from "../support/sharing.ts";
import { freshName, jpeg, uploadResumably } from "../support/uploads.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" }, undefined, { jobs: true, sandboxes: true });
const { db } = server;

let ada: Person;
let memory: string;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await signUp(server, "Ada");
  memory = (await newRow(ada.client, "memories", { person_name: "Rosa" })).id;
});

const addLink = async (more: object = {}) =>
  await newRow(ada.client, "share_links", { memory_id: memory, rights: "contribute", ...more }, "id", "share_id");
const send = async (token: string, bytes?: Buffer, ending = "jpg") => {
  const name = freshName(memory, ending);
  await uploadResumably({ url: server.url, token, name, bytes: bytes ?? (await jpeg()) });
  return name;
};

test("a blocked guest loses access, media URLs and live updates at once; unblocked, they are the same guest again", async () => {
  const link = await addLink();
  const gina = await guestOf(server, link.share_id);
  const name = await send(gina.token);
  const { data } = await gina.client.storage.from("media").createSignedUrl(name, 60);
  const signed = data?.signedUrl ?? "";
  expect((await fetch(signed)).ok).toBe(true);
  const heard = await follow(gina.client, { table: "comments" });

  const block = { memory_id: memory, guest: gina.id, hide: true };
  const { data: blocked } = await ada.client.rpc("block_person", block).throwOnError();
  expect(blocked.hidden).toMatchObject([{ kind: "media", was: "shown" }]);
  for (const table of ["memories", "media", "comments"]) {
    expect((await gina.client.from(table).select("id")).data).toEqual([]);
  }
  expect((await gina.client.from("comments").insert({ memory_id: memory, body: "x" })).error?.code).toBe("42501");
  expect((await fetch(signed)).ok).toBe(false);
  const events = await follow(ada.client, { table: "comments" });
  await ada.client.from("comments").insert({ memory_id: memory, body: "She hears nothing of this." }).throwOnError();
  await expect.poll(() => events.events.length).toBe(1);
  expect(heard.events).toEqual([]);
  const blockedAt = async () =>
    (await db.query<{ at: Date | null }>("select blocked_at as at from guests where id = $1", [gina.id])).rows[0]?.at;
  expect(await blockedAt()).toBeInstanceOf(Date);
  const knock = (shareId: string) => post(server, "open-share", { shareId, guestKey: gina.key });
  expect(await knock(link.share_id)).toEqual(await knock(`no${link.share_id.slice(2)}`));

  await ada.client.rpc("unblock_person", { block_id: blocked.id }).throwOnError();
  expect(await blockedAt()).toBeNull();
  const back = await knock(link.share_id);
  expect(back).toMatchObject({ status: 200, body: { guest: { id: gina.id } } });
  const again = server.client(String(back.body.token));
  await again.from("comments").insert({ id: randomUUID(), memory_id: memory, body: "Thank you." }).throwOnError();
});

test("a video that waits for approval is shown to managers by its poster", async () => {
  const eve = await signUp(server, "Eve");
  const { share_id: shareId } = await addLink({ moderated: true });
  const { body } = await post(server, "open-share", { shareId }, { authorization: `Bearer ${eve.token}` });
  const name = await send(String(body.token), privateMovie(), "mp4");
  const eves = server.client(String(body.token)).storage.from("posters");
  expect((await eves.upload(`${name}.jpg`, await jpeg())).error).toBeNull();
  const waiting = async () => (await ada.client.rpc("moderation_queue", { memory_id: memory, state: "held" })).data;
  await expect.poll(waiting).toMatchObject([
    {
      kind: "media",
      name: "Eve",
      media: { type: "video", poster_name: `${name}.jpg`, placeholder: expect.stringMatching(/^data:image/) },
    },
  ]);
  const posters = ada.client.storage.from("posters");
  const { data } = await posters.createSignedUrl(`${name}.jpg`, 60, { transform: { width: 320 } });
  expect((await fetch(data?.signedUrl ?? "")).status).toBe(200);
});

test("a guest's receipt email arrives in their language, and its link opens another browser as the same guest", async () => {
  const email = `${randomUUID()}@example.com`;
  const link = await addLink();
  const gina = await guestOf(server, link.share_id, { email, language: "it", name: "Gina Rossi" });
  const [files] = [await send(gina.token), await send(gina.token)];
  const inbox = async () => {
    const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(email)}`);
    return ((await reply.json()) as { messages: { subject: string; text: string; html: string }[] }).messages;
  };
  expect(await inbox()).toEqual([]);
  await db.query("update private.outbox set next_attempt_at = now() where template = 'guest-receipt'");
  await db.query("select pg_notify('outbox', '')");
  await expect.poll(async () => (await inbox()).length).toBe(1);
  const [letter] = await inbox();
  expect(letter?.text).toContain("Grazie, Gina Rossi");
  // A word joiner follows the dot, so that mail programs make no link of a file's name.
  expect(letter?.text.match(/IMG_1\.\u2060jpg · Rosa/g)).toHaveLength(2);
  const guestKey = letter?.text.match(new RegExp(`/shared/${link.share_id}#guest=(\\w+)`))?.[1];
  const elsewhere = await post(server, "open-share", { shareId: link.share_id, guestKey });
  expect(elsewhere.body.guest).toMatchObject({ id: gina.id });
  const theirs = server.client(String(elsewhere.body.token));
  expect((await theirs.storage.from("media").remove([files ?? ""])).data).toHaveLength(1);
});

test("an upload goes on with renewed access after its link changes, or fails if uploads are no longer allowed", async () => {
  const link = await addLink();
  const gina = await guestOf(server, link.share_id);
  let { token } = gina;
  const bearer = {
    headers: async () => ({ authorization: `Bearer ${token}` }),
    renew: async () => {
      const again = await post(server, "open-share", { shareId: link.share_id, held: token, guestKey: gina.key });
      token = String(again.body.token);
    },
  };
  const transport = openTus(`${server.url}/storage/v1/upload/resumable`, bearer, inMemory);
  const bytes = await jpeg();
  const upload = { id: randomUUID(), memoryId: memory, name: "lake.jpg", type: "image/jpeg", size: bytes.length };
  const send = (id = upload.id) =>
    // Outside of browsers, the client accepts a buffer as a file.
    transport.send({ ...upload, id } as never, bytes as never, {
      signal: new AbortController().signal,
      onProgress: () => {},
      onAddress: () => {},
    });
  const change = (changes: object) => ada.client.from("share_links").update(changes).eq("id", link.id).throwOnError();

  await change({ allows_download: false });
  await expect(send()).rejects.toMatchObject({ problem: "network" });
  await send();
  expect((await ada.client.from("media").select("guest_id").throwOnError()).data).toEqual([{ guest_id: gina.id }]);

  await change({ rights: "comment" });
  // Repeated as by the queue: the server may refuse a file at once, or break it off while its bytes arrive.
  const refused = randomUUID();
  const sendAgain = () => send(refused).catch(({ problem }) => problem);
  let problem = await sendAgain();
  expect(problem).toBe("network");
  while (problem === "network") problem = await sendAgain();
  expect(problem).toBe("failed");
});
