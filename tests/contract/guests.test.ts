import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { newKey, guestOf as openAndSign, sign as signWith } from "../support/guests.ts";
import { testServer } from "../support/server.ts";
import { newRow, type Owner, open, ownerOf, post } from "../support/sharing.ts";
import { freshName, jpeg, uploadResumably } from "../support/uploads.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" });
const { db } = server;

let ada: Owner;
let owner: SupabaseClient;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
  owner = server.client(ada.token);
});

interface Link {
  id: string;
  share_id: string;
}
const addLink = async (link: object = {}): Promise<Link> => {
  const row = { memory_id: ada.memoryId, rights: "contribute", ...link };
  return await newRow(owner, "share_links", row, "id", "share_id");
};
const sign = (token: unknown, body?: object, address?: string) => signWith(server, token, body, address);
const guestOf = (link: Link, body?: object) => openAndSign(server, link.share_id, body);

const send = async ({ token }: { token: string }, memoryId = ada.memoryId, bytes?: Buffer) => {
  const name = freshName(memoryId);
  await uploadResumably({ url: server.url, token, name, bytes: bytes ?? (await jpeg()) });
  return name;
};
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { originalResponse?: { getStatus(): number } }) => error.originalResponse?.getStatus(),
  );
const mediaOf = async (client: SupabaseClient) =>
  (await client.from("media").select("id, guest_id, user_id, moderation, caption").throwOnError()).data;

describe("a guest", () => {
  test("signs once, adds photos, a story, a comment and a candle, and is recognised again by their key", async () => {
    const link = await addLink();
    const gina = await guestOf(link, { name: "  Gina\u202e \n Rossi " });
    await send(gina);
    await gina.client.from("stories").insert({ memory_id: ada.memoryId, body: "<p>We swam.</p>" }).throwOnError();
    await gina.client.from("comments").insert({ memory_id: ada.memoryId, body: "Ciao" }).throwOnError();
    await gina.client.from("reactions").insert({ memory_id: ada.memoryId, kind: "candle" }).throwOnError();

    expect(await mediaOf(owner)).toMatchObject([{ guest_id: gina.id, user_id: null, moderation: "shown" }]);
    const signed = { guest_id: gina.id, user_id: null, credit: { name: "Gina Rossi" } };
    expect((await owner.from("stories").select("*, credit:story_credits(name)")).data).toMatchObject([signed]);
    expect((await owner.from("comments").select("*, credit:comment_credits(name)")).data).toMatchObject([signed]);
    expect((await owner.from("reactions").select("*, credit:reaction_credits(name)")).data).toMatchObject([signed]);
    expect((await owner.from("media_credits").select("name")).data).toEqual([{ name: "Gina Rossi" }]);
    expect((await owner.from("guests").select("id, name")).data).toEqual([{ id: gina.id, name: "Gina Rossi" }]);

    const again = await post(server, "open-share", { shareId: link.share_id, guestKey: gina.key });
    expect(again.body.guest).toEqual({ id: gina.id, name: "Gina Rossi", email: null });
    expect((await post(server, "open-share", { shareId: link.share_id })).body.guest).toBeNull();
    expect((await sign(gina.token, { guestKey: gina.key, name: "Luigina" })).body.guest).toMatchObject({ id: gina.id });
  });

  test("can change and delete only their own contributions", async () => {
    const link = await addLink();
    const [gina, ugo] = [await guestOf(link), await guestOf(link, { name: "Ugo" })];
    const name = await send(gina);
    const [photo] = await mediaOf(gina.client);
    const caption = (who: SupabaseClient, text: string) =>
      who.from("media").update({ caption: text }).eq("id", photo?.id).select("caption");
    expect((await caption(ugo.client, "Mine")).data).toEqual([]);
    expect((await caption(gina.client, "The lake")).data).toEqual([{ caption: "The lake" }]);
    const story = { id: randomUUID(), memory_id: ada.memoryId, body: "<p>We swam.</p>" };
    await gina.client.from("stories").insert(story).throwOnError();
    const comment = { id: randomUUID(), memory_id: ada.memoryId, body: "Ciao" };
    await gina.client.from("comments").insert(comment).throwOnError();
    const heart = { id: randomUUID(), memory_id: ada.memoryId, kind: "heart" };
    await gina.client.from("reactions").insert(heart).throwOnError();
    await ugo.client.from("reactions").insert({ memory_id: ada.memoryId, kind: "heart" }).throwOnError();

    for (const [who, changed] of [
      [ugo.client, 0],
      [server.client(String((await open(server, link.share_id)).body.token)), 0],
      [gina.client, 1],
    ] as const) {
      const storyUpdate = await who.from("stories").update({ title: "X" }).eq("id", story.id).select("id");
      const said = await who.from("comments").update({ body: "X" }).eq("id", comment.id).select("id");
      expect([storyUpdate.data?.length, said.data?.length]).toEqual([changed, changed]);
      const withdrawn = await who.rpc("withdraw_comment", { comment_id: comment.id });
      expect(withdrawn.status).toBe(changed ? 204 : 404);
      expect((await who.from("stories").delete().eq("id", story.id).select("id")).data).toHaveLength(changed);
      expect((await who.from("reactions").delete().eq("id", heart.id).select("id")).data).toHaveLength(changed);
      expect((await who.storage.from("media").remove([name])).data).toHaveLength(changed);
    }
    expect(await mediaOf(owner)).toEqual([]);
  });

  test("on a moderated link is seen only by themselves and managers until approved, and again after an edit", async () => {
    const link = await addLink({ moderated: true });
    const [gina, ugo] = [await guestOf(link), await guestOf(link)];
    const name = await send(gina);
    await gina.client.from("stories").insert({ memory_id: ada.memoryId, body: "<p>We swam.</p>" }).throwOnError();
    await gina.client.from("reactions").insert({ memory_id: ada.memoryId, kind: "candle" }).throwOnError();
    const seen = async (who: SupabaseClient) =>
      Promise.all(
        ["media", "stories", "reactions"].map(async (table) =>
          (await who.from(table).select("moderation").throwOnError()).data?.map(({ moderation }) => moderation),
        ),
      );
    expect(await seen(gina.client)).toEqual([["held"], ["held"], ["held"]]);
    expect(await seen(owner)).toEqual([["held"], ["held"], ["held"]]);
    expect(await seen(ugo.client)).toEqual([[], [], []]);
    expect((await ugo.client.storage.from("media").download(name)).error).not.toBeNull();
    expect((await gina.client.storage.from("media").download(name)).error).toBeNull();

    await db.query("update media set moderation = 'shown'");
    expect(await seen(ugo.client)).toEqual([["shown"], [], []]);
    await gina.client.from("media").update({ caption: "Other words" }).neq("caption", "x").throwOnError();
    expect(await seen(ugo.client)).toEqual([[], [], []]);
    await db.query("update stories set moderation = 'shown'");
    await gina.client.from("stories").update({ title: "Other words" }).eq("guest_id", gina.id).throwOnError();
    expect((await seen(gina.client))[1]).toEqual(["held"]);
  });

  test("cannot set the author, the approval or the cover, and markup of theirs is never executed", async () => {
    const gina = await guestOf(await addLink({ moderated: true }));
    for (const extra of [{ guest_id: randomUUID() }, { moderation: "shown" }, { user_id: ada.userId }]) {
      const story = await gina.client.from("stories").insert({ memory_id: ada.memoryId, body: "<p>x</p>", ...extra });
      const said = await gina.client.from("comments").insert({ memory_id: ada.memoryId, body: "x", ...extra });
      expect([story.error?.code, said.error?.code]).toEqual(["42501", "42501"]);
    }
    await send(gina);
    for (const change of [{ moderation: "shown" }, { is_cover: true }]) {
      expect((await gina.client.from("media").update(change).eq("guest_id", gina.id)).error?.code).toBe("42501");
    }
    const details = gina.client.from("media_details").update({ guest_id: null });
    expect((await details.eq("guest_id", gina.id)).error?.code).toBe("42501");
    const markup = await guestOf(await addLink(), { name: "<img src=x onerror=alert(1)>" });
    await markup.client
      .from("stories")
      .insert({ memory_id: ada.memoryId, body: "<p>x</p><script>1</script>" })
      .throwOnError();
    const { data } = await owner
      .from("stories")
      .select("body, credit:story_credits(name)")
      .eq("guest_id", markup.id)
      .single();
    expect(data).toEqual({ credit: { name: "<img src=x onerror=alert(1)>" }, body: "<p>x</p>" });
  });

  test("on an upload-only link adds photos and stories, and sees only their own", async () => {
    await send({ token: ada.token });
    const gina = await guestOf(await addLink({ rights: "upload" }));
    const name = await send(gina);
    expect(await mediaOf(gina.client)).toMatchObject([{ guest_id: gina.id }]);
    await gina.client.from("stories").insert({ memory_id: ada.memoryId, body: "<p>x</p>" }).throwOnError();
    expect((await gina.client.from("stories").select("id")).data).toHaveLength(1);
    expect((await gina.client.from("memories").select("id")).data).toEqual([]);
    const { data: occasion } = await gina.client.rpc("upload_occasion").throwOnError();
    expect(Object.keys(occasion[0])).toEqual(["id", "kind", "person_name", "birth_date", "passing_date", "event_date"]);
    for (const other of [await guestOf(await addLink()), { client: server.client() }, { client: owner }]) {
      expect((await other.client.rpc("upload_occasion").throwOnError()).data).toEqual([]);
    }
    expect((await gina.client.from("comments").insert({ memory_id: ada.memoryId, body: "x" })).error?.code).toBe(
      "42501",
    );
    expect((await gina.client.storage.from("media").remove([name])).data).toHaveLength(1);
  });

  test("uses the owner's storage, and is refused when it is full", async () => {
    const gina = await guestOf(await addLink());
    const name = await send(gina);
    const stored = async () =>
      (
        await db.query<{ stored: number }>("select stored::int from private.account_use where account = $1", [
          ada.userId,
        ])
      ).rows[0]?.stored;
    expect(await stored()).toBe((await jpeg()).length);
    await gina.client.storage.from("media").remove([name]);
    // In the trash it still uses the owner's storage, and the owner can empty the trash.
    expect(await stored()).toBe((await jpeg()).length);
    expect((await owner.rpc("empty_trash", { of_others: true })).data).toBe(1);
    expect(await stored()).toBe(0);
    await db.query("update private.account_use set stored = 1073741824 - 10 where account = $1", [ada.userId]);
    expect(await refusalOf(send(gina))).toBe(507);
  });
});

describe("becoming a guest", () => {
  test("is refused by a view-only link, without a link, with a session and with invalid details", async () => {
    const looking = await open(server, (await addLink({ rights: "view" })).share_id);
    expect(await sign(looking.body.token)).toMatchObject({ status: 403, body: { code: "view_only" } });
    expect(await sign(server.keys.publishable)).toMatchObject({ status: 401, body: { code: "not_opened" } });
    expect(await sign(ada.token)).toMatchObject({ status: 403, body: { code: "signed_in" } });
    const { body } = await open(server, (await addLink()).share_id);
    for (const wrong of [
      { name: " \n" },
      { name: "x".repeat(200) },
      { guestKey: "short" },
      { timeZone: "Moon" },
      { email: "x" },
    ]) {
      expect(await sign(body.token, wrong)).toMatchObject({ status: 400 });
    }
    const visitor = server.client(String(body.token));
    expect((await visitor.from("stories").insert({ memory_id: ada.memoryId, body: "<p>x</p>" })).error?.code).toBe(
      "42501",
    );
    expect(await refusalOf(send({ token: String(body.token) }))).toBe(403);
  });

  test("is refused with another link's key, an unknown key or a forged token", async () => {
    const [link, other] = [await addLink(), await addLink()];
    const gina = await guestOf(link);
    for (const guestKey of [gina.key, newKey()]) {
      expect((await post(server, "open-share", { shareId: other.share_id, guestKey })).body.guest).toBeNull();
    }
    const crossed = await server.sign({
      role: "anon",
      aud: "anon",
      share: { link: other.id, version: 1, guest: gina.id },
    });
    const forged = server.client(crossed);
    expect((await forged.from("comments").insert({ memory_id: ada.memoryId, body: "x" })).error?.code).toBe("42501");
    const [head, claims, signature = ""] = gina.token.split(".");
    const token = [head, claims, (signature.startsWith("A") ? "B" : "A") + signature.slice(1)].join(".");
    expect((await sign(token)).status).toBe(401);
  });

  test.each([
    ["revoked", "revoked", "update share_links set revoked_at = now() where id = $1"],
    ["view-only", "not_opened", "update share_links set rights = 'view' where id = $1"],
    ["expired", "expired", "update share_links set expires_at = now() - interval '1 s' where id = $1"],
  ])("ends for existing guests once the link is %s, and says so (%s)", async (_what, code, change) => {
    const link = await addLink();
    const gina = await guestOf(link);
    await send(gina);
    await db.query(change, [link.id]);
    expect(await mediaOf(gina.client)).toEqual([]);
    expect((await gina.client.from("comments").insert({ memory_id: ada.memoryId, body: "x" })).error?.code).toBe(
      "42501",
    );
    expect(
      (await gina.client.from("media").update({ caption: "x" }).eq("guest_id", gina.id).select("id")).data,
    ).toEqual([]);
    expect(await refusalOf(send(gina))).toBe(403);
    expect(await sign(gina.token, { guestKey: gina.key })).toMatchObject({ body: { code } });
  });

  test("on a link that became view-only keeps a returning guest's name, but lets them change nothing", async () => {
    const link = await addLink();
    const gina = await guestOf(link);
    const name = await send(gina);
    const [comment, heart] = [randomUUID(), randomUUID()];
    await gina.client.from("comments").insert({ id: comment, memory_id: ada.memoryId, body: "Ciao" }).throwOnError();
    await gina.client.from("reactions").insert({ id: heart, memory_id: ada.memoryId, kind: "heart" }).throwOnError();
    await owner.from("share_links").update({ rights: "view" }).eq("id", link.id).throwOnError();
    const { body } = await post(server, "open-share", { shareId: link.share_id, guestKey: gina.key });
    expect(body.guest).toMatchObject({ id: gina.id });
    const again = server.client(String(body.token));
    expect(await mediaOf(again)).toMatchObject([{ guest_id: gina.id }]);
    expect((await again.from("media").update({ caption: "x" }).eq("guest_id", gina.id).select("id")).data).toEqual([]);
    expect((await again.storage.from("media").remove([name])).data).toEqual([]);
    expect((await again.rpc("withdraw_comment", { comment_id: comment })).status).toBe(404);
    expect((await again.from("reactions").delete().eq("id", heart).select("id")).data).toEqual([]);
  });

  test("is refused to a blocked guest, whatever they sign with", async () => {
    const link = await addLink();
    const gina = await guestOf(link);
    await db.query("update guests set blocked_at = now() where id = $1", [gina.id]);
    expect((await gina.client.from("comments").insert({ memory_id: ada.memoryId, body: "x" })).error?.code).toBe(
      "42501",
    );
    expect(await sign(gina.token, { guestKey: gina.key })).toMatchObject({ status: 401, body: { code: "not_opened" } });
    // Identical to the response of a link that does not exist.
    const guestBody = { guestKey: gina.key };
    expect(await post(server, "open-share", { shareId: link.share_id, ...guestBody })).toEqual(
      await post(server, "open-share", { shareId: "no-such-link", ...guestBody }),
    );
  });

  test("many times at once with one key creates one guest", async () => {
    const link = await addLink();
    const { body } = await open(server, link.share_id);
    const guestKey = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => sign(body.token, { guestKey })));
    expect(new Set(answers.map(({ body }) => (body.guest as { id: string }).id)).size).toBe(1);
    expect((await owner.from("guests").select("id")).data).toHaveLength(1);
  });

  test("is limited to 300 a day for one link, 10 a day for one email address, and 200 an hour for one network address", async () => {
    const link = await addLink();
    const { body } = await open(server, link.share_id);
    await db.query("insert into guests (link_id, name) select $1, 'x' from generate_series(1, 300)", [link.id]);
    expect(await sign(body.token)).toMatchObject({ status: 429, body: { code: "too_many_guests" } });
    await db.query("delete from guests");
    for (let i = 0; i < 10; i++) await sign(body.token, { email: "all@example.com" }, `198.51.100.${i}`);
    expect((await sign(body.token, { email: "all@example.com" }, "198.51.100.77")).status).toBe(429);
    await db.query("delete from auth.attempts");
    const from = async (address: string) => (await sign(body.token, {}, address)).status;
    expect(await from("198.51.100.78")).toBe(200);
    await db.query("update auth.attempts set count = 199 where ends_at > now() + interval '30 minutes'");
    const statuses = [await from("198.51.100.78"), await from("198.51.100.78"), await from("198.51.100.79")];
    expect(statuses).toEqual([200, 429, 200]);
  });
});

describe("names", () => {
  test("of contributors are shown by a link only if it allows that, but always to managers and to each their own", async () => {
    const link = await addLink();
    const gina = await guestOf(link);
    await send(gina);
    const named = async () => {
      const { body } = await open(server, link.share_id);
      return (await server.client(String(body.token)).from("media_credits").select("name").throwOnError()).data;
    };
    expect(await named()).toEqual([{ name: "Gina" }]);
    await owner.from("share_links").update({ shows_names: false }).eq("id", link.id).throwOnError();
    expect(await named()).toEqual([]);
    for (const client of [owner, gina.client]) {
      expect((await client.from("media_credits").select("name")).data).toEqual([{ name: "Gina" }]);
    }
  });
});

describe("a receipt", () => {
  const emails = async () =>
    (
      await db.query<{
        recipient: string;
        language: string;
        props: { url: string; files: { name: string; memory: string }[] };
        wait: number;
      }>(
        `select recipient, language, props, extract(epoch from next_attempt_at - now())::int as wait
       from private.outbox where template = 'guest-receipt' order by created_at`,
      )
    ).rows;

  test("is one email for all additions of ten minutes, without removed ones, and its link identifies the guest", async () => {
    const link = await addLink();
    const gina = await guestOf(link, { email: "gina@example.com", language: "it" });
    const [first] = [await send(gina), await send(gina)];
    const [email, ...more] = await emails();
    expect(more).toEqual([]);
    expect(email).toMatchObject({ recipient: "gina@example.com", language: "it" });
    expect(email?.wait).toBeGreaterThan(500);
    expect(email?.props.files).toMatchObject([
      { name: "IMG_1.jpg", memory: "Grandmother" },
      { name: "IMG_1.jpg", memory: "Grandmother" },
    ]);
    await gina.client.storage.from("media").remove([first ?? ""]);
    expect((await emails())[0]?.props.files).toHaveLength(1);

    const [, shareId, guestKey] = email?.props.url.match(/\/shared\/([^#]+)#guest=(\w+)$/) ?? [];
    expect(shareId).toBe(link.share_id);
    expect((await post(server, "open-share", { shareId, guestKey })).body.guest).toMatchObject({ id: gina.id });
    const { rows } = await db.query("select from private.guest_keys where hash in ($1, $2)", [guestKey, gina.key]);
    expect(rows).toEqual([]);
  });

  test("is not sent without an address or if everything was removed; a later visit gets its own", async () => {
    const link = await addLink();
    await send(await guestOf(link));
    const gina = await guestOf(link, { email: "gina@example.com" });
    await gina.client.storage.from("media").remove([await send(gina)]);
    expect(await emails()).toEqual([]);
    await send(gina);
    await db.query("update private.outbox set state = 'sent', settled_at = now()");
    await send(gina);
    expect((await emails()).map(({ props }) => props.files.length)).toEqual([1, 1]);
  });
});

test("a key is refused at a second link, because a browser makes one for each", async () => {
  const [first, second] = [await addLink(), await addLink()];
  const gina = await guestOf(first);
  const { body } = await open(server, second.share_id);
  expect(await sign(body.token, { guestKey: gina.key })).toMatchObject({ status: 409, body: { code: "malformed" } });
});

test("deleting a link deletes its guests, and what they added stays with their names", async () => {
  const link = await addLink();
  const [gina, ugo] = [await guestOf(link), await guestOf(link)];
  await send(gina);
  for (const { client } of [gina, ugo]) {
    await client.from("reactions").insert({ memory_id: ada.memoryId, kind: "candle" }).throwOnError();
  }
  await owner.from("share_links").delete().eq("id", link.id).throwOnError();
  expect((await db.query("select from guests")).rows).toEqual([]);
  expect(await mediaOf(owner)).toMatchObject([{ guest_id: null }]);
  expect((await owner.from("media_credits").select("name")).data).toEqual([{ name: "Gina" }]);
  expect((await owner.from("reaction_credits").select("name")).data).toHaveLength(2);
});
