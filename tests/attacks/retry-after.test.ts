import { beforeEach, expect, test } from "vitest";
import { openLimits } from "../../server/supabase/auth/limits.ts";
import { emptyDatabase } from "../support/database.ts";
import { guestOf, newKey } from "../support/guests.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf, setPin } from "../support/sharing.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1", AUTH_MAIL_INTERVAL: "60" });
const strict = await testServer({ TRUST_PROXY: "127.0.0.1", SIGN_IN_LIMIT: "2" }, server);
const { db } = server;
let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from auth.attempts");
  ada = await ownerOf(server, "Grandmother");
});

interface Refused {
  status: number;
  /** The header's value in seconds. */
  retryAfter: number;
}

async function call(path: string, body: object, { token, to = server }: { token?: string; to?: typeof server } = {}) {
  const response = await fetch(`${to.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      apikey: to.keys.publishable,
      "x-forwarded-for": "203.0.113.9",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: Number(response.headers.get("retry-after")) };
}

/** Lets so many seconds pass for all limits that the database counts. */
const pass = (seconds: number) =>
  db.exec(`
    update auth.attempts set ends_at = ends_at - interval '${seconds} s';
    update private.share_attempts set locked_until = locked_until - interval '${seconds} s';
    alter table comments disable trigger user;
    update comments set created_at = created_at - interval '${seconds} s';
    alter table comments enable trigger user;
    update guests set created_at = created_at - interval '${seconds} s'`);

/**
 * Expects that `send` is refused until the time `ends`, and that the response says so to a second: after that many
 * seconds the call is admitted, and a second earlier it would not be. `ends` is SQL.
 */
async function expectTrueWait(send: () => Promise<Refused>, ends: string) {
  const clock = async () =>
    (await db.query<{ left: number }>(`select extract(epoch from (${ends}) - clock_timestamp())::float8 as left`))
      .rows[0]?.left ?? 0;
  const before = await clock();
  const { status, retryAfter } = await send();
  const after = await clock();
  expect(status).toBe(429);
  // The refusal happened between the two looks at the clock.
  expect(retryAfter).toBeLessThanOrEqual(Math.ceil(before));
  expect(retryAfter).toBeGreaterThanOrEqual(Math.ceil(after));
  await pass(retryAfter);
  expect((await send()).status).not.toBe(429);
}

const byCount = (most: number) => `select max(ends_at) from auth.attempts where count > ${most}`;

test("wrong passwords of an account", async () => {
  const wrong = () =>
    call("/auth/v1/token?grant_type=password", { email: "ada@example.com", password: "not this one" });
  for (let n = 0; n < 20; n += 1) await wrong();
  await db.exec("update auth.attempts set ends_at = ends_at - interval '1234.5 s'");
  await expectTrueWait(wrong, byCount(19));
});

test("requests of an address", async () => {
  const sign = () =>
    call("/auth/v1/token?grant_type=password", { email: "a@example.com", password: "x" }, { to: strict });
  for (let n = 0; n < 2; n += 1) await sign();
  // The account's own window is longer.
  await expectTrueWait(sign, "select min(ends_at) from auth.attempts");
});

test("messages to an address: the longer of both limits counts", async () => {
  const recover = () => call("/auth/v1/recover", { email: "ada@example.com" });
  await recover();
  await expectTrueWait(
    recover,
    "select min(ends_at) from auth.attempts where count >= 1 and ends_at < now() + interval '61 s'",
  );
  // Ten within the hour, the last of them just now.
  await db.exec("update auth.attempts set count = 10 where ends_at > now() + interval '62 s'");
  await expectTrueWait(recover, byCount(9));
});

test("two allowances: the longer wait counts, and a refused attempt uses none of the other", async () => {
  const { spend, count } = openLimits(db, new Uint8Array(32));
  const allowances = [
    { key: "address", most: 3, seconds: 60 },
    { key: "person", most: 1, seconds: 900 },
  ];
  const send = () =>
    spend(allowances).then(
      () => ({ status: 200, retryAfter: 0 }),
      ({ status, retryAfter }: Refused) => ({ status, retryAfter }),
    );
  expect(await send()).toMatchObject({ status: 200 });
  for (let n = 0; n < 5; n += 1) expect(await send()).toMatchObject({ status: 429 });
  expect((await count("address", 60)).count).toBe(2);
  expect((await count("address", 60)).count).toBe(3);
  // Now both are used up.
  await expectTrueWait(send, byCount(0));
});

test("a locked link, also from a locked address", async () => {
  await setPin(server, ada, "0417");
  const wrong = () => call("/functions/v1/open-share", { shareId: ada.shareId, pin: "9999" });
  for (let n = 0; n < 5; n += 1) await wrong();
  await db.exec(
    "update private.share_attempts set locked_until = clock_timestamp() + interval '70 s' where key like 'address:%'",
  );
  await expectTrueWait(wrong, "select max(locked_until) from private.share_attempts");
});

test("comments of a guest", async () => {
  await db.query("update share_links set rights = 'comment' where id = $1", [ada.linkId]);
  const gina = await guestOf(server, ada.shareId);
  await db.query(
    `insert into comments (memory_id, guest_id, body, created_at)
     select $1, $2, 'Hello', now() - make_interval(secs => n * 17.3) from generate_series(1, 70) n`,
    [ada.memoryId, gina.id],
  );
  const comment = () => call("/rest/v1/comments", { memory_id: ada.memoryId, body: "One more" }, gina);
  await expectTrueWait(
    comment,
    "select created_at + interval '1 hour' from comments where guest_id is not null order by created_at desc offset 59 limit 1",
  );
});

test("guests of a link", async () => {
  await db.query("update share_links set rights = 'comment' where id = $1", [ada.linkId]);
  const { body } = await open(server, ada.shareId);
  await db.query(
    `insert into guests (link_id, name, created_at) select $1, 'Guest', now() - make_interval(secs => n * 17.3)
     from generate_series(1, 310) n`,
    [ada.linkId],
  );
  const sign = () =>
    call(
      "/functions/v1/sign-guest",
      { name: "Gina", guestKey: newKey(), language: "en", timeZone: "Europe/Rome" },
      { token: String(body.token) },
    );
  await expectTrueWait(
    sign,
    "select created_at + interval '1 day' from guests order by created_at desc offset 299 limit 1",
  );
});
