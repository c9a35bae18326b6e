import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeEach, expect, test } from "vitest";
import { follow } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { expectEnded } from "../support/ended.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { post } from "../support/sharing.ts";
import { belong, linkTo, memoryOf, say } from "../support/talk.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
const { db } = server;
let ada: Person;
let memory: string;
let link: { id: string; share: string };
let photo: string;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await signUpWithPlan(server, "Ada");
  memory = await memoryOf(ada);
  const share = await linkTo(memory, ada, { rights: "contribute" });
  const { rows } = await db.query<{ id: string }>("select id from share_links where share_id = $1", [share]);
  link = { id: rows[0]?.id ?? "", share };
  photo = freshName(memory);
  const stored = await ada.client.storage.from("media").upload(photo, await jpeg(), { contentType: "image/jpeg" });
  expect(stored.error).toBeNull();
});

/** A person or visitor with access. */
interface Insider {
  client: SupabaseClient;
  token: string;
  person?: Person;
}

async function contributor(): Promise<Insider> {
  const bob = await signUp(server, "Bob");
  await belong(server, memory, bob, "contributor");
  return { client: bob.client, token: bob.token, person: bob };
}

async function visitor(): Promise<Insider> {
  const token = String((await post(server, "open-share", { shareId: link.share })).body.token);
  return { client: server.client(token), token };
}

const ENDINGS: Record<string, { who(): Promise<Insider>; end(insider: Insider): PromiseLike<unknown> }> = {
  "the link is revoked": {
    who: visitor,
    end: () => ada.client.from("share_links").update({ revoked_at: "now" }).eq("id", link.id).throwOnError(),
  },
  "the PIN changes": {
    who: visitor,
    end: () => ada.client.functions.invoke("share-pin", { body: { linkId: link.id, pin: "0417" } }),
  },
  "the memory is deleted": {
    who: visitor,
    end: () => ada.client.from("memories").delete().eq("id", memory).throwOnError(),
  },
  "the member is removed": {
    who: contributor,
    end: ({ person }) => ada.client.from("memory_members").delete().eq("user_id", person?.id).throwOnError(),
  },
  "the member is blocked": {
    who: contributor,
    end: ({ person }) => ada.client.rpc("block_person", { memory_id: memory, person: person?.id }).throwOnError(),
  },
  "the member signs out": { who: contributor, end: ({ client }) => client.auth.signOut() },
  "the member's account is deleted": {
    who: contributor,
    end: ({ person }) => server.service().auth.admin.deleteUser(person?.id ?? ""),
  },
};

/** Obtains every kind of access. Resolves to the name of each and a function that tests whether it still works. */
async function obtain({ client, token }: Insider): Promise<[string, () => Promise<boolean>][]> {
  const headers = { apikey: server.keys.publishable, authorization: `Bearer ${token}` };
  const { data: signed } = await client.storage.from("media").createSignedUrl(photo, 3600);
  const url = signed?.signedUrl ?? "";
  const prepared = await post(server, "prepare-download", { memoryId: memory, archive: true }, headers);
  const name = freshName(memory);
  const resumable = { ...headers, "tus-resumable": "1.0.0" };
  const metadata = Object.entries({ bucketName: "media", objectName: name, contentType: "image/jpeg" });
  const bytes = await jpeg();
  const created = await fetch(`${server.url}/storage/v1/upload/resumable`, {
    method: "POST",
    headers: {
      ...resumable,
      "upload-length": `${bytes.length}`,
      "upload-metadata": metadata.map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`).join(","),
    },
  });
  const upload = new URL(created.headers.get("location") ?? "", server.url);
  const opens =
    (address: string, more: Record<string, string> = {}) =>
    async () => {
      const reply = await fetch(address, { headers: more });
      await reply.arrayBuffer();
      return reply.ok;
    };
  const at = `${server.url}/storage/v1`;
  return [
    [
      "the memory's row",
      async () => ((await client.from("memories").select("id").eq("id", memory)).data ?? []).length > 0,
    ],
    ["its photos' rows", async () => ((await client.from("media").select("id")).data ?? []).length > 0],
    ["a photo by the token", opens(`${at}/object/authenticated/media/${photo}`, headers)],
    ["a photo's address", opens(url)],
    ["a range of it", opens(url, { range: "bytes=9-" })],
    ["a smaller picture's address", opens(`${url.replace("/object/sign/", "/render/image/sign/")}&width=320`)],
    ["a new address", async () => (await client.storage.from("media").createSignedUrl(photo, 60)).error === null],
    ["the archive that was prepared", opens(String(prepared.body.url))],
    [
      "an upload under way",
      async () => {
        const reply = await fetch(upload, {
          method: "PATCH",
          headers: { ...resumable, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
          body: new Uint8Array(bytes),
        });
        return reply.ok;
      },
    ],
  ];
}

test.each(Object.entries(ENDINGS))(
  "all access that was obtained ends within a second when %s",
  async (_what, { who, end }) => {
    const insider = await who();
    const ways = await obtain(insider);
    const heard = await follow(insider.client, { table: "comments" });
    const own = await follow(ada.client, { table: "comments" });
    // All except the upload, which can be sent only once.
    for (const [way, tried] of ways.slice(0, -1)) expect([way, await tried()]).toEqual([way, true]);

    await end(insider);
    // A request that was running when the access ended may fail.
    const opens = async () =>
      (await Promise.all(ways.map(async ([way, tried]) => ((await tried().catch(() => false)) ? [way] : [])))).flat();
    await expectEnded(opens);

    const isThere = (await ada.client.from("memories").select("id").eq("id", memory)).data?.length === 1;
    if (isThere) {
      await say(ada.client, memory, "Only for who is here.");
      await expect.poll(() => own.events.length).toBeGreaterThan(0);
    }
    expect(heard.events.filter(({ eventType }) => eventType === "INSERT")).toEqual([]);
    const { rows } = await db.query("select 1 from storage.objects where bucket_id = 'media' and name <> $1", [photo]);
    expect(rows).toEqual([]);
    await Promise.all([insider.client.removeAllChannels(), ada.client.removeAllChannels()]);
  },
);

test("a deleted link opens nothing, even after a new one is made", async () => {
  const before = await visitor();
  const ways = await obtain(before);
  await ada.client.from("share_links").delete().eq("id", link.id).throwOnError();
  await linkTo(memory, ada, { rights: "contribute", label: randomUUID() });
  for (const [way, tried] of ways) expect([way, await tried()]).toEqual([way, false]);
  expect((await post(server, "open-share", { shareId: link.share })).status).toBe(401);
});
