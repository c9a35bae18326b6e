import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeEach, describe, expect, test } from "vitest";
import { retentionJob } from "../../server/jobs/housekeeping.ts";
import { claimsIn } from "../../web/lib/session/token-claims.ts";
import { emptyDatabase } from "../support/database.ts";
import { runOnce } from "../support/jobs.ts";
import { testServer } from "../support/server.ts";
import { newRow, type Owner, open, ownerOf, post } from "../support/sharing.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" });
const { db } = server;

interface Link {
  id: string;
  share_id: string;
  version: number;
}
let ada: Owner;
let owner: SupabaseClient;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
  owner = server.client(ada.token);
});

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();
const add = async (link: object = {}): Promise<Link> => {
  const row = { memory_id: ada.memoryId, ...link };
  return (await owner.from("share_links").insert(row).select("id, share_id, version").single<Link>().throwOnError())
    .data;
};
const change = (id: string, changes: object) =>
  owner.from("share_links").update(changes).eq("id", id).select("id, share_id, version").single<Link>();
const passphrase = (linkId: string, phrase: string) =>
  post(server, "share-pin", { linkId, passphrase: phrase }, { authorization: `Bearer ${ada.token}` });
const openBy = (shareId: string, body: object, bearer?: string) =>
  post(server, "open-share", { shareId, ...body }, bearer ? { authorization: `Bearer ${bearer}` } : {});
const sees = async (token: unknown) =>
  (await server.client(String(token)).from("memories").select("id").throwOnError()).data?.length;

describe("a memory's links", () => {
  test("can be added, each with its own rights, end and download setting", async () => {
    const endsAt = inAWeek();
    const link = await add({ label: "For the choir", rights: "comment", expires_at: endsAt, allows_download: false });
    expect((await open(server, link.share_id)).body).toEqual({
      token: expect.any(String),
      expiresIn: 3600,
      linkId: link.id,
      version: 1,
      memoryId: ada.memoryId,
      albumId: null,
      rights: "comment",
      allowsDownload: false,
      devicesRemoved: 0,
      moderated: false,
      showsNames: true,
      endsAt,
      guest: null,
      invitation: null,
    });
    expect((await open(server, ada.shareId)).body).toMatchObject({ linkId: ada.linkId, rights: "comment" });
  });

  test.each([
    ["tribute", "comment"],
    ["event", "contribute"],
  ])("of a new %s lets visitors %s, whoever turned it on, unless a manager chose otherwise", async (kind, rights) => {
    const bearer = { authorization: `Bearer ${ada.token}` };
    const first = async (fields: object) => {
      // The free plan holds one.
      await db.query("delete from memories where user_id = $1", [ada.userId]);
      const { id, share_id } = await newRow(owner, "memories", { person_name: "Rosa", ...fields }, "id", "share_id");
      const links = owner.from("share_links").select("id").eq("memory_id", id);
      return { memoryId: id, shareId: share_id, linkId: (await links.single<{ id: string }>().throwOnError()).data.id };
    };
    const pinned = await first({ kind });
    await post(server, "share-pin", { linkId: pinned.linkId, pin: "0417" }, bearer);
    expect((await open(server, pinned.shareId, "0417")).body).toMatchObject({ rights });

    // The kind of a draft changes in the form that creates it.
    const changed = await first({ kind: kind === "event" ? "tribute" : "event" });
    await owner.from("memories").update({ kind }).eq("id", changed.memoryId).throwOnError();
    await change(changed.linkId, { shared_at: "now" }).throwOnError();
    expect((await open(server, changed.shareId)).body).toMatchObject({ rights });

    const chosen = await first({ kind });
    await change(chosen.linkId, { rights: "view" }).throwOnError();
    await post(server, "share-pin", { linkId: chosen.linkId, pin: "0417" }, bearer);
    expect((await open(server, chosen.shareId, "0417")).body).toMatchObject({ rights: "view" });
  });

  test("can open an album, and name it", async () => {
    const album = await newRow(owner, "albums", { name: "Family" });
    await owner.from("memories").update({ album_id: album.id }).eq("id", ada.memoryId).throwOnError();
    const link = await add({ memory_id: null, album_id: album.id });
    const { body } = await open(server, link.share_id);
    expect(body).toMatchObject({ memoryId: null, albumId: album.id });
    expect(await sees(body.token)).toBe(1);
  });

  test("cannot end in the past, nor be given an id, a version or another memory", async () => {
    const past = { expires_at: new Date(Date.now() - 1000).toISOString() };
    const refused = { code: "PT400", hint: "ends_in_the_past" };
    expect(await owner.from("share_links").insert({ memory_id: ada.memoryId, ...past })).toMatchObject({
      status: 400,
      error: refused,
    });
    expect(await change(ada.linkId, past)).toMatchObject({ status: 400, error: refused });
    for (const forbidden of [{ share_id: "easy" }, { version: 9 }, { memory_id: randomUUID() }, { asks: "pin" }]) {
      expect(await change(ada.linkId, forbidden)).toMatchObject({ status: 403 });
    }
  });

  test("Spec §5: cannot end at a time that no calendar has, which visitors would see as an error", async () => {
    for (const expires_at of ["infinity", "294000-01-01"]) {
      const refused = { code: "23514", message: expect.stringContaining("expires_at_in_years_1_to_9999") };
      const made = await owner.from("share_links").insert({ memory_id: ada.memoryId, expires_at });
      expect(made).toMatchObject({ status: 400, error: refused });
      expect(await change(ada.linkId, { expires_at })).toMatchObject({ status: 400, error: refused });
    }
    expect((await change(ada.linkId, { expires_at: "9999-12-30" })).error).toBeNull();
    expect(await open(server, ada.shareId)).toMatchObject({
      status: 200,
      body: { endsAt: "9999-12-30T00:00:00.000Z" },
    });
  });

  test("can be seen and changed only by managers of what they open", async () => {
    const bob = await ownerOf(server, "Party");
    const stranger = server.client(bob.token);
    const visitor = server.client(String((await open(server, ada.shareId)).body.token));
    for (const client of [stranger, visitor]) {
      expect((await client.from("share_links").select("id").eq("id", ada.linkId)).data ?? []).toEqual([]);
      expect((await client.from("share_links").insert({ memory_id: ada.memoryId })).error).not.toBeNull();
      expect((await client.rpc("remake_link", { link_id: ada.linkId })).error).not.toBeNull();
    }
    expect((await stranger.rpc("link_openings", { link_id: ada.linkId })).data).toEqual([]);
    expect((await open(server, ada.shareId)).status).toBe(200);
  });

  test("do not reveal each other: a visitor cannot read the memory's first share id", async () => {
    const link = await add({ allows_download: false });
    const visitor = server.client(String((await open(server, link.share_id)).body.token));
    expect((await visitor.from("memories").select("share_id")).error).toMatchObject({ code: "42501" });
    expect((await owner.from("memories").select("share_id").single()).data).toEqual({ share_id: ada.shareId });
  });
});

describe("a link that changes", () => {
  test.each<[string, object]>([
    ["its rights", { rights: "view" }],
    ["its end", { expires_at: "2999-01-01" }],
    ["whether copies may be taken", { allows_download: false }],
  ])("%s: earlier tokens end, and are renewed without the PIN", async (_what, changes) => {
    await post(server, "share-pin", { linkId: ada.linkId, pin: "0417" }, { authorization: `Bearer ${ada.token}` });
    const before = (await open(server, ada.shareId, "0417")).body;
    const { version } = (await change(ada.linkId, changes).throwOnError()).data;
    expect(version).toBe(Number(before.version) + 1);
    expect(await sees(before.token)).toBe(0);
    const after = await openBy(ada.shareId, { held: before.token });
    expect(after).toMatchObject({ status: 200, body: { version } });
    expect(await sees(after.body.token)).toBe(1);
  });

  test.each<[string, object]>([
    ["its label", { label: "For the choir" }],
    ["whether names are shown", { shows_names: false }],
    ["whether additions wait", { moderated: true }],
  ])("%s: earlier tokens stay valid", async (_what, changes) => {
    const { token } = (await open(server, ada.shareId)).body;
    expect((await change(ada.linkId, changes)).data).toMatchObject({ version: 1 });
    expect(await sees(token)).toBe(1);
  });

  test("revoked, it ends access and answers so, and opens again when the revocation is undone", async () => {
    const { token } = (await open(server, ada.shareId)).body;
    // The server sets the time. Any time from the browser means only "now".
    await change(ada.linkId, { revoked_at: "1999-01-01" }).throwOnError();
    expect(await sees(token)).toBe(0);
    expect(await open(server, ada.shareId)).toMatchObject({ status: 410, body: { code: "revoked" } });
    const { data } = await owner.from("share_links").select("revoked_at").eq("id", ada.linkId).single();
    expect(Date.now() - Date.parse(data?.revoked_at)).toBeLessThan(60_000);
    await change(ada.linkId, { revoked_at: null }).throwOnError();
    expect((await open(server, ada.shareId)).status).toBe(200);
  });

  test("remade, its old address is answered like an unknown one, and the memory's share id follows the first link", async () => {
    const { token } = (await open(server, ada.shareId)).body;
    const { data: shareId } = await owner.rpc("remake_link", { link_id: ada.linkId }).throwOnError();
    expect(shareId).toMatch(/^\w{22}$/);
    expect(await sees(token)).toBe(0);
    expect(await openBy(ada.shareId, { held: token })).toEqual(await openBy(randomUUID(), { held: token }));
    expect((await open(server, shareId)).body).toMatchObject({ linkId: ada.linkId, version: 2 });
    expect((await owner.from("memories").select("share_id").single()).data).toEqual({ share_id: shareId });
    const other = await add();
    await owner.rpc("remake_link", { link_id: other.id }).throwOnError();
    expect((await owner.from("memories").select("share_id").single()).data).toEqual({ share_id: shareId });
  });

  test("deleted, it is answered like an unknown one; the first link can be deleted only with its memory", async () => {
    const link = await add();
    await owner.from("share_links").delete().eq("id", link.id).throwOnError();
    expect(await open(server, link.share_id)).toEqual(await open(server, randomUUID()));
    expect(await owner.from("share_links").delete().eq("id", ada.linkId)).toMatchObject({
      status: 409,
      error: { hint: "first_link" },
    });
    await owner.from("memories").delete().eq("id", ada.memoryId).throwOnError();
    await owner.rpc("empty_trash").throwOnError();
    expect((await db.query("select id from share_links")).rows).toEqual([]);
  });
});

describe("a link that ends by itself", () => {
  const endIn = (seconds: number) =>
    db.query("update share_links set expires_at = now() + make_interval(secs => $2) where id = $1", [
      ada.linkId,
      seconds,
    ]);

  test("gives tokens that end with it", async () => {
    await endIn(90);
    const { body } = await open(server, ada.shareId);
    expect(Number(body.expiresIn)).toBeGreaterThan(80);
    expect(Number(body.expiresIn)).toBeLessThanOrEqual(90);
  });

  test("says that it has ended, and opens again when its end is moved", async () => {
    await endIn(-1);
    expect(await open(server, ada.shareId)).toMatchObject({ status: 410, body: { code: "expired" } });
    await change(ada.linkId, { expires_at: inAWeek() }).throwOnError();
    expect((await open(server, ada.shareId)).status).toBe(200);
  });
});

describe("an ended link with a PIN", () => {
  test.each(["revoked_at = now()", "expires_at = now() - interval '1 day'"])(
    "where %s is answered like an unknown link before the correct PIN",
    async (state) => {
      await post(server, "share-pin", { linkId: ada.linkId, pin: "0417" }, { authorization: `Bearer ${ada.token}` });
      const { token } = (await open(server, ada.shareId, "0417")).body;
      await db.query(`update share_links set ${state} where id = $1`, [ada.linkId]);
      for (const [i, pin] of [undefined, "1111"].entries()) {
        const opening = await open(server, ada.shareId, pin, `203.0.113.${i}`);
        expect(opening).toEqual(await open(server, randomUUID(), pin, `198.51.100.${i}`));
      }
      const refusal = { status: 410, body: { code: expect.stringMatching(/revoked|expired/) } };
      expect(await open(server, ada.shareId, "0417")).toMatchObject(refusal);
      expect(await openBy(ada.shareId, { held: token })).toMatchObject(refusal);
    },
  );
});

describe("a passphrase", () => {
  test("opens in any case, spacing and Unicode form, and ends earlier visits", async () => {
    const { token } = (await open(server, ada.shareId)).body;
    expect(await passphrase(ada.linkId, "Perché no, Nonna?")).toMatchObject({
      status: 200,
      body: { hasPin: true, asks: "passphrase", version: 2 },
    });
    expect(await sees(token)).toBe(0);
    expect(await open(server, ada.shareId)).toMatchObject({
      status: 401,
      body: { code: "pin_required", asks: "passphrase" },
    });
    expect((await openBy(ada.shareId, { passphrase: "  perche\u0301 NO, nonna? " })).status).toBe(200);
    for (const wrong of [{ passphrase: "perche no, nonna?" }, { pin: "0417" }]) {
      expect(await openBy(ada.shareId, wrong)).toMatchObject({
        status: 401,
        body: { code: "pin_wrong", asks: "passphrase" },
      });
    }
  });

  test("is replaced by a PIN, and a PIN by a passphrase", async () => {
    await passphrase(ada.linkId, "grandma's garden");
    await post(server, "share-pin", { linkId: ada.linkId, pin: "0417" }, { authorization: `Bearer ${ada.token}` });
    expect((await openBy(ada.shareId, { passphrase: "grandma's garden" })).body).toMatchObject({ asks: "pin" });
    expect((await open(server, ada.shareId, "0417")).status).toBe(200);
    await passphrase(ada.linkId, "grandma's orchard");
    expect((await open(server, ada.shareId, "0417")).body).toMatchObject({ code: "pin_wrong", asks: "passphrase" });
    expect((await openBy(ada.shareId, { passphrase: "grandma's orchard" })).status).toBe(200);
  });

  test.each<[string, object]>([
    ["five letters", { passphrase: " apple " }],
    ["sixty-five letters", { passphrase: "a".repeat(65) }],
    ["a valid length beside a PIN", { passphrase: "grandma's garden", pin: "0417" }],
  ])("of %s is malformed", async (_what, secret) => {
    const headers = { authorization: `Bearer ${ada.token}` };
    expect((await post(server, "share-pin", { linkId: ada.linkId, ...secret }, headers)).status).toBe(400);
    expect((await openBy(ada.shareId, secret)).status).toBe(400);
  });

  test("of an unknown link is answered like a wrong one", async () => {
    expect(await openBy("nobodysLink", { passphrase: "grandma's garden" })).toMatchObject({
      status: 401,
      body: { code: "pin_wrong", asks: "pin", triesLeft: 4 },
    });
  });
});

describe("a signed-in person who opens a link", () => {
  test("keeps their identity, sees the link's memory beside their own, and only until their token expires", async () => {
    const bob = await ownerOf(server, "Party");
    const exp = Math.floor(Date.now() / 1000) + 600;
    const session = {
      session_id: randomUUID(),
      aal: "aal1",
      app_metadata: { role: "admin" },
      email: "bob@example.com",
    };
    await db.query("insert into auth.sessions (id, user_id) values ($1, $2)", [session.session_id, bob.userId]);
    const bearer = await server.sign({ ...bob.caller, aud: "authenticated", ...session }, 600);
    const { body } = await openBy(ada.shareId, {}, bearer);
    const claims = claimsIn(String(body.token));
    expect(claims).toMatchObject({
      role: "authenticated",
      sub: bob.userId,
      session_id: session.session_id,
      aal: "aal1",
    });
    expect(claims).not.toHaveProperty("app_metadata");
    expect(claims).not.toHaveProperty("email");
    expect(Number(claims.exp)).toBeLessThanOrEqual(exp + 1);
    const client = server.client(String(body.token));
    expect((await client.from("memories").select("id").throwOnError()).data).toHaveLength(2);
    await change(ada.linkId, { revoked_at: "now" }).throwOnError();
    expect((await client.from("memories").select("id").throwOnError()).data).toEqual([{ id: bob.memoryId }]);
  });

  test("is admitted again as themselves by a share token from before they signed in", async () => {
    await passphrase(ada.linkId, "grandma's garden");
    const { token } = (await openBy(ada.shareId, { passphrase: "grandma's garden" })).body;
    const bob = await ownerOf(server, "Party");
    const again = await openBy(ada.shareId, { held: token }, bob.token);
    expect(claimsIn(String(again.body.token))).toMatchObject({ role: "authenticated", sub: bob.userId });
    expect((await openBy(ada.shareId, {}, bob.token)).body).toMatchObject({ code: "pin_required" });
  });

  test("is a visitor until their second factor is verified", async () => {
    const bob = await ownerOf(server, "Party");
    await db.query(
      "insert into auth.mfa_factors (user_id, factor_type, status, secret) values ($1, 'totp', 'verified', 'x')",
      [bob.userId],
    );
    const { body } = await openBy(ada.shareId, {}, bob.token);
    expect(claimsIn(String(body.token))).toMatchObject({ role: "anon" });
    expect(await sees(body.token)).toBe(1);
  });
});

describe("the log of a link", () => {
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148";
  const log = async () => (await owner.rpc("link_openings", { link_id: ada.linkId }).throwOnError()).data;

  test("records the hour, device and signed-in person, and does not count renewals", async () => {
    const bob = await ownerOf(server, "Party");
    await db.query("update profiles set full_name = 'Bob Bianchi' where id = $1", [bob.userId]);
    const { token } = (await post(server, "open-share", { shareId: ada.shareId }, { "user-agent": phone })).body;
    await post(server, "open-share", { shareId: ada.shareId }, { "user-agent": phone });
    await openBy(ada.shareId, { held: token });
    await openBy(ada.shareId, {}, String(token));
    await openBy(ada.shareId, {}, bob.token);
    const entries = (await log()) as { opened_at: string; times: number; device: string; person: string | null }[];
    // An entry covers one hour, and a new one may begin between two openings.
    const timesOf = (which: object) =>
      entries
        .filter(({ device, person }) => JSON.stringify({ device, person }) === JSON.stringify(which))
        .reduce((sum, { times }) => sum + times, 0);
    expect(timesOf({ device: "phone", person: null })).toBe(2);
    expect(timesOf({ device: "", person: "Bob Bianchi" })).toBe(1);
    expect(entries.reduce((sum, { times }) => sum + times, 0)).toBe(3);
    expect(entries.every(({ opened_at }) => /:00:00(\.0+)?(\+00:00|Z)$/.test(opened_at))).toBe(true);
    const counted = await owner.from("share_links").select("share_openings(times)").eq("id", ada.linkId).single();
    expect(counted.data?.share_openings).toHaveLength(entries.length);
  });

  test("does not record refused attempts", async () => {
    await passphrase(ada.linkId, "grandma's garden");
    await open(server, ada.shareId);
    await openBy(ada.shareId, { passphrase: "grandpa's garden" });
    expect(await log()).toEqual([]);
  });

  test("is deleted after 180 days", async () => {
    await open(server, ada.shareId);
    await db.query(
      `insert into share_openings (link_id, opened_at) values ($1, now() - interval '181 days'), ($1, now() - interval '179 days')`,
      [ada.linkId],
    );
    await runOnce(retentionJob({ db }));
    expect(await log()).toHaveLength(2);
  });
});
