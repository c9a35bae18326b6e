import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { pinHash } from "../../server/sharing/pin-hash.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf, post, setPin } from "../support/sharing.ts";

const server = await testServer();
const { db } = server;

const sees = async (token: unknown) => {
  const claims = JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString());
  return asCaller(db, claims, async (tx) => (await tx.query("select id from memories")).rows.length);
};

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
});

describe("a link without a PIN", () => {
  test("opens its memory to anyone who holds it", async () => {
    const answer = await open(server, ada.shareId);
    expect(answer).toMatchObject({
      status: 200,
      body: { expiresIn: 3600, memoryId: ada.memoryId, linkId: ada.linkId },
    });
    expect(await sees(answer.body.token)).toBe(1);
  });

  test("opens nothing while its memory is a draft, and is answered like an unknown link", async () => {
    await db.query("update memories set draft = true where id = $1", [ada.memoryId]);
    expect(await open(server, ada.shareId)).toEqual(await open(server, randomUUID()));
  });

  test("answers on the serverless path too", async () => {
    const response = await fetch(`${server.url}/.netlify/functions/open-share`, {
      method: "POST",
      body: JSON.stringify({ shareId: ada.shareId }),
    });
    expect(response.status).toBe(200);
  });
});

describe("Spec §4: share PIN set, updated and removed", () => {
  test("a link with a PIN asks for it and opens with it", async () => {
    expect(await setPin(server, ada, "0417")).toEqual({ status: 200, body: { hasPin: true, asks: "pin", version: 2 } });
    expect(await open(server, ada.shareId)).toMatchObject({ status: 401, body: { code: "pin_required" } });
    expect(await open(server, ada.shareId, "0416")).toMatchObject({
      status: 401,
      body: { code: "pin_wrong", triesLeft: 4 },
    });
    const answer = await open(server, ada.shareId, "0417");
    expect(answer.status).toBe(200);
    expect(await sees(answer.body.token)).toBe(1);
  });

  test("an updated PIN replaces the old one and ends what it opened", async () => {
    await setPin(server, ada, "0417");
    const { token } = (await open(server, ada.shareId, "0417")).body;
    expect(await setPin(server, ada, "0418")).toMatchObject({ body: { version: 3 } });
    expect(await sees(token)).toBe(0);
    expect((await open(server, ada.shareId, "0417")).status).toBe(401);
    expect((await open(server, ada.shareId, "0418")).status).toBe(200);
  });

  test("the same PIN set again ends what was open too", async () => {
    await setPin(server, ada, "0417");
    const { token } = (await open(server, ada.shareId, "0417")).body;
    expect(await setPin(server, ada, "0417")).toMatchObject({ body: { version: 3 } });
    expect(await sees(token)).toBe(0);
  });

  test("a removed PIN ends what it opened, and the link opens without", async () => {
    await setPin(server, ada, "0417");
    const { token } = (await open(server, ada.shareId, "0417")).body;
    expect(await setPin(server, ada, null)).toEqual({ status: 200, body: { hasPin: false, asks: null, version: 3 } });
    expect(await sees(token)).toBe(0);
    expect((await open(server, ada.shareId)).status).toBe(200);
  });

  test("a PIN is stored as a hash that cannot be checked without the server's key", async () => {
    await setPin(server, ada, "0417");
    const { rows } = await db.query<{ hash: string }>("select hash from share_pins");
    expect(rows).toEqual([{ hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
    expect(await pinHash([new Uint8Array(32)]).matches(rows[0]?.hash, "0417")).toBe(false);
  });
});

describe("who may read a PIN again", () => {
  const read = async (linkId: string, token?: unknown) =>
    post(server, "read-share-pin", { linkId }, token === undefined ? {} : { authorization: `Bearer ${token}` });
  const member = async (role: string) => {
    const person = await ownerOf(server, "Another");
    await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", [
      ada.memoryId,
      person.userId,
      role,
    ]);
    return person.token;
  };

  test("only managers, whichever of them set it", async () => {
    expect((await read(ada.linkId, ada.token)).body).toEqual({ secret: null });
    await setPin(server, ada, "0417");
    const visitor = (await open(server, ada.shareId, "0417")).body.token;
    expect(await read(ada.linkId, ada.token)).toEqual({ status: 200, body: { secret: "0417" } });
    expect((await read(ada.linkId, await member("co-owner"))).body).toEqual({ secret: "0417" });
    for (const role of ["contributor", "viewer"]) {
      expect(await read(ada.linkId, await member(role))).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect((await read(ada.linkId, (await ownerOf(server, "Party")).token)).status).toBe(404);
    expect([(await read(ada.linkId)).status, (await read(ada.linkId, visitor)).status]).toEqual([401, 401]);
    await setPin(server, ada, "0418");
    expect((await read(ada.linkId, ada.token)).body).toEqual({ secret: "0418" });
    await setPin(server, ada, null);
    expect((await read(ada.linkId, ada.token)).body).toEqual({ secret: null });
  });

  test("nobody from the table, which stores it encrypted and which no API role may select", async () => {
    await setPin(server, ada, "0417");
    const { rows } = await db.query<{ sealed: string }>("select sealed from share_pins");
    expect(Buffer.from(rows[0]?.sealed ?? "", "base64").toString("latin1")).not.toContain("0417");
    for (const caller of [{ role: "anon" }, ada.caller, { role: "service_role" }] as const) {
      const reading = asCaller(db, caller, (tx) => tx.query("select sealed from share_pins"));
      await expect(reading).rejects.toMatchObject({ code: "42501" });
    }
  });

  test("nobody, if its encrypted copy is missing or does not match the hash", async () => {
    await setPin(server, ada, "0417");
    await db.query("update share_pins set sealed = null");
    expect(await read(ada.linkId, ada.token)).toEqual({ status: 200, body: { secret: null } });
    expect((await open(server, ada.shareId, "0417")).status).toBe(200);
    await setPin(server, ada, "0418");
    const hash = await pinHash([new Uint8Array(32)]).make("9999");
    await db.query("update share_pins set hash = $1", [hash]);
    expect((await read(ada.linkId, ada.token)).body).toEqual({ secret: null });
  });
});

describe("who may set a PIN", () => {
  test("not an anonymous visitor", async () => {
    expect((await post(server, "share-pin", { linkId: ada.linkId, pin: "0000" })).status).toBe(401);
  });

  test("not a visitor with the link's token", async () => {
    const { token } = (await open(server, ada.shareId)).body;
    const headers = { authorization: `Bearer ${token}` };
    expect((await post(server, "share-pin", { linkId: ada.linkId, pin: "0000" }, headers)).status).toBe(401);
  });

  test("not a stranger, who gets the answer of an unknown link", async () => {
    const bob = await ownerOf(server, "Party");
    expect(await setPin(server, { ...bob, linkId: ada.linkId }, "0000")).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect((await open(server, ada.shareId)).status).toBe(200);
  });
});

describe("malformed requests", () => {
  test.each<[string, string, unknown]>([
    ["open-share", "no JSON", "{"],
    ["open-share", "an empty body", ""],
    ["open-share", "a list", []],
    ["open-share", "no share id", {}],
    ["open-share", "a share id that is too long", { shareId: "x".repeat(65) }],
    ["open-share", "three digits", { shareId: "x", pin: "123" }],
    ["open-share", "a number for a PIN", { shareId: "x", pin: 1234 }],
    ["open-share", "letters", { shareId: "x", pin: "abcd" }],
    ["share-pin", "five digits", { linkId: randomUUID(), pin: "12345" }],
    ["share-pin", "no PIN", { linkId: randomUUID() }],
    ["read-share-pin", "no link", {}],
    ["share-pin", "an invalid link id", { linkId: "mine", pin: "1234" }],
  ])("%s refuses %s", async (name, _what, body) => {
    const answer = await post(server, name, body, { authorization: `Bearer ${ada.token}` });
    expect(answer).toMatchObject({ status: 400, body: { code: "malformed", message: expect.any(String) } });
  });

  test("a body of 300 KB is refused", async () => {
    expect((await post(server, "open-share", { shareId: "x".repeat(300_000) })).status).toBe(413);
  });

  test("a broken bearer cannot set a PIN", async () => {
    const answer = await post(
      server,
      "share-pin",
      { linkId: ada.linkId, pin: "1234" },
      { authorization: "Bearer x.y.z" },
    );
    expect(answer).toMatchObject({ status: 401, body: { code: "bad_jwt" } });
  });
});

describe("a visit that goes on", () => {
  const renew = (shareId: string, token: unknown) =>
    post(server, "open-share", { shareId }, { authorization: `Bearer ${token}` });

  test("is renewed by its still valid token without the PIN", async () => {
    await setPin(server, ada, "0417");
    const { token } = (await open(server, ada.shareId, "0417")).body;
    const again = await renew(ada.shareId, token);
    expect(again.status).toBe(200);
    expect(await sees(again.body.token)).toBe(1);
  });

  test("is not renewed once the PIN has changed, nor by another link's token, nor by an ended one", async () => {
    await setPin(server, ada, "0417");
    const { token } = (await open(server, ada.shareId, "0417")).body;
    const bob = await ownerOf(server, "Party");
    const other = (await open(server, bob.shareId)).body.token;
    const ended = await server.sign({ role: "anon", share: { link: ada.linkId, version: 2 } }, -5);
    await setPin(server, ada, "0418");
    for (const bearer of [token, other, ended, "rubbish"]) {
      expect(await renew(ada.shareId, bearer)).toMatchObject({ status: 401, body: { code: "pin_required" } });
    }
  });
});

describe("a link with a PIN that has expired or was turned off", () => {
  const heldTokens = async () => {
    await setPin(server, ada, "0417");
    return String((await open(server, ada.shareId, "0417")).body.token);
  };
  const end = (change: string) => db.query(`update share_links set ${change} where id = $1`, [ada.linkId]);
  const again = (token: string, more = {}) =>
    post(server, "open-share", { shareId: ada.shareId, held: token, ...more });

  test("says so to people whose token was renewed after the expiry was set, and has expired with the link", async () => {
    const token = await heldTokens();
    await end("expires_at = now() + interval '2 seconds'");
    const renewed = String((await again(token)).body.token);
    await expect.poll(async () => (await again(renewed)).status, { timeout: 180_000 }).toBe(410);
    expect((await again(renewed)).body).toMatchObject({ code: "expired" });
    const bearer = { authorization: `Bearer ${renewed}` };
    expect(await post(server, "open-share", { shareId: ada.shareId }, bearer)).toMatchObject({
      status: 410,
      body: { code: "expired" },
    });
    // A wrong PIN beside the token changes nothing.
    expect((await again(renewed, { pin: "9999" })).status).toBe(410);
  });

  test.each([
    ["expires_at = now() - interval '1 second'", "expired"],
    ["revoked_at = now()", "revoked"],
  ])("says so to people with an expired token: %s", async (change, code) => {
    await setPin(server, ada, "0417");
    const { body } = await open(server, ada.shareId, "0417");
    const share = { link: ada.linkId, version: body.version };
    const expired = await server.sign({ role: "anon", aud: "anon", share } as never, -60);
    expect((await again(expired)).body).toMatchObject({ code: "pin_required" });
    await end(change);
    expect(await again(expired)).toMatchObject({ status: 410, body: { code } });
  });

  test("does not say so to strangers, and to holders of older, forged or other links' tokens", async () => {
    const token = await heldTokens();
    await setPin(server, ada, "0418");
    await end("expires_at = now() - interval '1 second'");
    const bob = await ownerOf(server, "Grandfather");
    const other = String((await open(server, bob.shareId)).body.token);
    const [head, body] = token.split(".");
    for (const credentials of [token, other, `${head}.${body}.${"A".repeat(86)}`, "x"]) {
      expect(await again(credentials)).toMatchObject({ status: 401, body: { code: "pin_required" } });
    }
    expect((await open(server, ada.shareId)).body).toMatchObject({ code: "pin_required" });
  });
});
