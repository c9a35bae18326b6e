import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { asCaller } from "../../server/database/as-caller.ts";
import { pinHash } from "../../server/functions/pin-hash.ts";
import { openSecrets } from "../../server/secrets.ts";
import { readSettings } from "../../server/settings.ts";
import { openFiles } from "../../server/supabase/storage/files.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" });
const second = await testServer({ TRUST_PROXY: "127.0.0.1" }, server);
const { db } = server;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function post(name: string, body: unknown, headers: Record<string, string> = {}, at = server): Promise<Answer> {
  const response = await fetch(`${at.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: at.keys.publishable, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const from = (address: string) => ({ "x-forwarded-for": address });
const open = (shareId: string, pin?: string, address = "203.0.113.1", at = server) =>
  post("open-share", { shareId, ...(pin === undefined ? {} : { pin }) }, from(address), at);
const setPin = (owner: Owner, pin: string | null) =>
  post("share-pin", { linkId: owner.linkId, pin }, { authorization: `Bearer ${owner.token}` });
const sees = async (token: unknown) => {
  const claims = JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString());
  return asCaller(db, claims, async (tx) => (await tx.query("select id from memories")).rows.length);
};
const lockedUntil = async (owner: Owner) => {
  const { rows } = await db.query<{ locked_until: Date | null }>("select locked_until from share_links where id = $1", [
    owner.linkId,
  ]);
  return rows[0]?.locked_until ?? null;
};
/** As if `interval` had gone by since every try. */
const timePasses = (interval: string) =>
  db.query(`update private.share_attempts
    set locked_until = locked_until - interval '${interval}', forget_at = forget_at - interval '${interval}'`);

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
});

describe("a link without a PIN", () => {
  test("opens its memory to whoever holds it", async () => {
    const answer = await open(ada.shareId);
    expect(answer).toMatchObject({
      status: 200,
      body: { expiresIn: 3600, memoryId: ada.memoryId, linkId: ada.linkId },
    });
    expect(await sees(answer.body.token)).toBe(1);
  });

  test("opens nothing while its memory is a draft, and looks like no link at all", async () => {
    await db.query("update memories set draft = true where id = $1", [ada.memoryId]);
    expect(await open(ada.shareId)).toEqual(await open(randomUUID()));
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
    expect(await setPin(ada, "0417")).toEqual({ status: 200, body: { hasPin: true, version: 2 } });
    expect(await open(ada.shareId)).toMatchObject({ status: 401, body: { code: "pin_required" } });
    expect(await open(ada.shareId, "0416")).toMatchObject({ status: 401, body: { code: "pin_wrong", triesLeft: 4 } });
    const answer = await open(ada.shareId, "0417");
    expect(answer.status).toBe(200);
    expect(await sees(answer.body.token)).toBe(1);
  });

  test("an updated PIN replaces the old one and ends what it opened", async () => {
    await setPin(ada, "0417");
    const { token } = (await open(ada.shareId, "0417")).body;
    expect(await setPin(ada, "0418")).toMatchObject({ body: { version: 3 } });
    expect(await sees(token)).toBe(0);
    expect((await open(ada.shareId, "0417")).status).toBe(401);
    expect((await open(ada.shareId, "0418")).status).toBe(200);
  });

  test("the same PIN set again ends what was open too", async () => {
    await setPin(ada, "0417");
    const { token } = (await open(ada.shareId, "0417")).body;
    expect(await setPin(ada, "0417")).toMatchObject({ body: { version: 3 } });
    expect(await sees(token)).toBe(0);
  });

  test("a removed PIN ends what it opened, and the link opens without", async () => {
    await setPin(ada, "0417");
    const { token } = (await open(ada.shareId, "0417")).body;
    expect(await setPin(ada, null)).toEqual({ status: 200, body: { hasPin: false, version: 3 } });
    expect(await sees(token)).toBe(0);
    expect((await open(ada.shareId)).status).toBe(200);
  });

  test("is kept neither plain nor in a form that opens without the server's key", async () => {
    await setPin(ada, "0417");
    const { rows } = await db.query<{ hash: string }>("select hash from share_pins");
    expect(rows).toEqual([{ hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
    expect(await pinHash(new Uint8Array(32)).matches(rows[0]?.hash, "0417")).toBe(false);
  });
});

describe("who may set a PIN", () => {
  test("nobody: a visitor is asked to sign in", async () => {
    expect((await post("share-pin", { linkId: ada.linkId, pin: "0000" })).status).toBe(401);
  });

  test("not whoever the link lets in", async () => {
    const { token } = (await open(ada.shareId)).body;
    const headers = { authorization: `Bearer ${token}` };
    expect((await post("share-pin", { linkId: ada.linkId, pin: "0000" }, headers)).status).toBe(401);
  });

  test("a stranger hears that there is no such link, and nothing changes", async () => {
    const bob = await ownerOf(server, "Party");
    expect(await setPin({ ...bob, linkId: ada.linkId }, "0000")).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect((await open(ada.shareId)).status).toBe(200);
  });
});

describe("malformed requests", () => {
  test.each<[string, string, unknown]>([
    ["open-share", "no JSON", "{"],
    ["open-share", "nothing", ""],
    ["open-share", "a list", []],
    ["open-share", "no share id", {}],
    ["open-share", "an endless share id", { shareId: "x".repeat(65) }],
    ["open-share", "three digits", { shareId: "x", pin: "123" }],
    ["open-share", "a number for a PIN", { shareId: "x", pin: 1234 }],
    ["open-share", "letters", { shareId: "x", pin: "abcd" }],
    ["share-pin", "five digits", { linkId: randomUUID(), pin: "12345" }],
    ["share-pin", "no PIN", { linkId: randomUUID() }],
    ["share-pin", "a link id that is none", { linkId: "mine", pin: "1234" }],
  ])("%s refuses %s", async (name, _what, body) => {
    const answer = await post(name, body, { authorization: `Bearer ${ada.token}` });
    expect(answer).toMatchObject({ status: 400, body: { code: "malformed", message: expect.any(String) } });
  });

  test("a huge body is refused unread", async () => {
    expect((await post("open-share", { shareId: "x".repeat(300_000) })).status).toBe(413);
  });

  test("a broken bearer can not set a PIN", async () => {
    const answer = await post("share-pin", { linkId: ada.linkId, pin: "1234" }, { authorization: "Bearer x.y.z" });
    expect(answer).toMatchObject({ status: 401, body: { code: "bad_jwt" } });
  });
});

describe("a visit that goes on", () => {
  const renew = (shareId: string, token: unknown) =>
    post("open-share", { shareId }, { authorization: `Bearer ${token}` });

  test("is renewed by its still valid token without the PIN", async () => {
    await setPin(ada, "0417");
    const { token } = (await open(ada.shareId, "0417")).body;
    const again = await renew(ada.shareId, token);
    expect(again.status).toBe(200);
    expect(await sees(again.body.token)).toBe(1);
  });

  test("is not renewed once the PIN has changed, nor by another link's token, nor by an ended one", async () => {
    await setPin(ada, "0417");
    const { token } = (await open(ada.shareId, "0417")).body;
    const bob = await ownerOf(server, "Party");
    const other = (await open(bob.shareId)).body.token;
    const ended = await server.sign({ role: "anon", share: { link: ada.linkId, version: 2 } }, -5);
    await setPin(ada, "0418");
    for (const bearer of [token, other, ended, "rubbish"]) {
      expect(await renew(ada.shareId, bearer)).toMatchObject({ status: 401, body: { code: "pin_required" } });
    }
  });
});

describe("the PIN can not be guessed", () => {
  const wrong = async (shareId: string, times: number, address?: string) => {
    for (let i = 0; i < times; i++) await open(shareId, "9999", address);
  };

  test("five tries, then the link is shut to the right PIN too, and its owner sees until when", async () => {
    await setPin(ada, "0417");
    const left = [];
    for (let i = 0; i < 5; i++) left.push((await open(ada.shareId, "9999", `203.0.113.${i}`)).body.triesLeft);
    expect(left).toEqual([4, 3, 2, 1, 0]);
    const shut = await open(ada.shareId, "0417");
    expect(shut).toMatchObject({ status: 429, body: { code: "locked" } });
    const until = await lockedUntil(ada);
    expect(shut.body.lockedUntil).toBe(until?.toISOString());
    expect((until?.getTime() ?? 0) - Date.now()).toBeGreaterThan(290_000);
  });

  test("each further wrong try shuts it for longer: 5 and 15 minutes, 1, 4 and 24 hours", async () => {
    await setPin(ada, "0417");
    await wrong(ada.shareId, 4);
    const minutes = [];
    for (let i = 0; i < 6; i++) {
      await open(ada.shareId, "9999", `203.0.113.${i}`);
      minutes.push(Math.round((((await lockedUntil(ada))?.getTime() ?? 0) - Date.now()) / 60_000));
      await timePasses(`${minutes.at(-1)} minutes 1 second`);
    }
    expect(minutes).toEqual([5, 15, 60, 240, 1440, 1440]);
    expect((await open(ada.shareId, "0417")).status).toBe(200);
  });

  test("of a hundred guesses sent together five are looked at", async () => {
    await setPin(ada, "0417");
    const guesses = Array.from({ length: 100 }, (_, i) =>
      open(ada.shareId, String(i).padStart(4, "0"), `198.51.100.${i}`, i % 2 ? server : second),
    );
    const codes = (await Promise.all(guesses)).map(({ body }) => body.code);
    expect(codes.filter((code) => code === "pin_wrong")).toHaveLength(5);
    expect(codes.filter((code) => code === "locked")).toHaveLength(95);
  });

  test("the right PIN among guesses gives back its own try only", async () => {
    await setPin(ada, "0417");
    await wrong(ada.shareId, 4);
    expect((await open(ada.shareId, "0417")).status).toBe(200);
    expect(await lockedUntil(ada)).toBeNull();
    expect((await open(ada.shareId, "0417")).status).toBe(200);
    expect((await open(ada.shareId, "9999")).body.triesLeft).toBe(0);
    expect((await open(ada.shareId, "0417")).status).toBe(429);
  });

  test("one address that tries link after link is shut out, other addresses are not", async () => {
    await setPin(ada, "0417");
    for (let i = 0; i < 20; i++) await open(`unknown${i}`, "1234", "2001:db8:1:2::1");
    expect(await open(ada.shareId, "0417", "2001:db8:1:2:ffff::9")).toMatchObject({
      status: 429,
      body: { code: "locked" },
    });
    expect((await open(ada.shareId, "0417", "2001:db8:1:3::1")).status).toBe(200);
    expect(await lockedUntil(ada)).toBeNull();
  });

  test("a locked address adds no rows by inventing links", async () => {
    await wrong("unknown", 5);
    for (let i = 0; i < 15; i++) await open(`unknown${i}`, "1234");
    const count = async () => (await db.query("select key from private.share_attempts")).rows.length;
    const before = await count();
    await Promise.all(Array.from({ length: 10 }, (_, i) => open(`invented${i}`, "1234")));
    expect(await count()).toBe(before);
  });

  test("links without a PIN open from a locked address, as there is nothing to guess", async () => {
    for (let i = 0; i < 20; i++) await open(`unknown${i}`, "1234");
    expect((await open(ada.shareId)).status).toBe(200);
  });

  test("the lock holds in another process and after a restart", async () => {
    await setPin(ada, "0417");
    await wrong(ada.shareId, 5);
    expect((await open(ada.shareId, "0417", "203.0.113.1", second)).status).toBe(429);
    const restarted = await createApp({
      db,
      settings: readSettings({ NODE_ENV: "test", LOG_LEVEL: "error", DATA_DIR: server.dataDir }),
      secrets: await openSecrets({ dataDir: server.dataDir }),
      files: await openFiles(join(server.dataDir, "storage")),
    });
    const answer = await restarted.inject({
      method: "POST",
      url: "/functions/v1/open-share",
      payload: { shareId: ada.shareId, pin: "0417" },
    });
    await restarted.close();
    expect(answer.statusCode).toBe(429);
  });

  test("changing or removing the PIN unlocks the link and starts its count anew", async () => {
    await setPin(ada, "0417");
    await wrong(ada.shareId, 5);
    await setPin(ada, "0418");
    expect(await lockedUntil(ada)).toBeNull();
    expect((await open(ada.shareId, "9999", "203.0.113.7")).body.triesLeft).toBe(4);
    expect((await open(ada.shareId, "0418", "203.0.113.7")).status).toBe(200);
    await wrong(ada.shareId, 5, "203.0.113.8");
    await setPin(ada, null);
    expect(await lockedUntil(ada)).toBeNull();
  });

  test("a quiet week is forgotten, and old counts are cleared away", async () => {
    await setPin(ada, "0417");
    await wrong(ada.shareId, 4);
    for (let i = 0; i < 3; i++) await open(`unknown${i}`, "1234", "203.0.113.5");
    await timePasses("6 days 23 hours");
    expect((await open(ada.shareId, "9998", "203.0.113.6")).body.triesLeft).toBe(0);
    await timePasses("7 days 1 second");
    expect((await open(ada.shareId, "9999", "203.0.113.7")).body.triesLeft).toBe(4);
    expect((await db.query("select key from private.share_attempts")).rows).toHaveLength(2);
  });

  test("addresses are not kept", async () => {
    await open(ada.shareId, "9999", "203.0.113.77");
    const { rows } = await db.query<{ all: string }>(
      "select string_agg(a::text, ' ') as all from private.share_attempts a",
    );
    expect(rows[0]?.all ?? "").not.toContain("203.0.113");
  });
});

describe("a wrong PIN and an unknown link", () => {
  test("are answered alike, try by try, until and after the lock", async () => {
    await setPin(ada, "0417");
    const withoutTime = ({ status, body }: Answer) => ({ status, ...body, lockedUntil: Boolean(body.lockedUntil) });
    for (const pin of [undefined, "1111", "1112", "1113", "1114", "1115", "1116", undefined]) {
      const known = withoutTime(await open(ada.shareId, pin, "203.0.113.1"));
      const unknown = withoutTime(await open("nobodysLink", pin, "203.0.113.2"));
      expect(unknown).toEqual(known);
    }
  });

  test("take the same time", async () => {
    await setPin(ada, "0417");
    const timed = async (shareId: string) => {
      await db.query("delete from private.share_attempts");
      const start = performance.now();
      await open(shareId, "9999");
      return performance.now() - start;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 15; i++) {
      known.push(await timed(ada.shareId));
      unknown.push(await timed("nobodysLink"));
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    const ratio = median(unknown) / median(known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
  });
});
