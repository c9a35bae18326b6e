import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openPostgres } from "../../server/database/postgres.ts";
import { atEnd } from "../support/at-end.ts";
import { follow } from "../support/changes.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { expectEnded } from "../support/ended.ts";
import { type Person, signUp } from "../support/people.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { newMemory, post } from "../support/sharing.ts";
import { downloadSlowly } from "../support/slow-download.ts";
import { freshName, jpeg } from "../support/uploads.ts";

/** Bytes, more than the operating system buffers for a connection. */
const PADDING = 24 * 1024 * 1024;

/** Two servers over one database and one folder, each with its own connections. */
const databaseUrl = await testDatabaseUrl();
const dataDir = await mkdtemp(join(tmpdir(), "skies-sessions-"));
atEnd(() => rm(dataDir, { recursive: true, force: true }));
const start = async () => {
  const db = await openPostgres(databaseUrl);
  atEnd(() => db.close());
  // With payments, so that checkout answers. No request reaches the provider.
  const payments = {
    STRIPE_SECRET_KEY: "sk_test_none",
    STRIPE_WEBHOOK_SECRET: "whsec_none",
    STRIPE_PUBLISHABLE_KEY: "pk_test_none",
  };
  return testServer(payments, { db, dataDir });
};
const [one, other] = [await start(), await start()];

let ada: Person;
let memoryId: string;
let photo: string;

beforeEach(async () => {
  ada = await signUp(one, "Ada");
  await givePlan(one.db, ada.id);
  const data = await newMemory(ada.client, { person_name: "Rosa" });
  memoryId = data.id;
  photo = await store(await jpeg());
});

async function store(bytes: Buffer): Promise<string> {
  const name = freshName(memoryId, "jpg");
  const { error } = await one
    .client(ada.token)
    .storage.from("media")
    .upload(name, bytes, { contentType: "image/jpeg" });
  if (error) throw error;
  return name;
}

async function signedUrl(name: string): Promise<string> {
  const { data, error } = await one.client(ada.token).storage.from("media").createSignedUrl(name, 3600);
  if (error) throw error;
  return data.signedUrl;
}

async function signInAgain(): Promise<Person["client"]> {
  const client = one.client();
  const { error } = await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  if (error) throw error;
  return client;
}

const bearer = () => ({ authorization: `Bearer ${ada.token}` });
const sessionId = () =>
  String(JSON.parse(atob((ada.token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))).session_id);

/**
 * Prepares the URLs. The returned function requests a row, a stored file, a signed URL and a prepared download from
 * both servers, and resolves to the URLs that were answered.
 */
async function openings() {
  const path = new URL(await signedUrl(photo));
  const { body } = await post(one, "prepare-download", { memoryId, archive: true }, bearer());
  const ticket = new URL(String(body.url));
  return async () => {
    const asking = [one, other].flatMap(({ url, keys }) => [
      fetch(`${url}/rest/v1/memories?select=id`, { headers: { apikey: keys.publishable, ...bearer() } }),
      fetch(`${url}/storage/v1/object/media/${photo}`, { headers: bearer() }),
      fetch(`${url}${path.pathname}${path.search}`),
      fetch(`${url}${ticket.pathname}${ticket.search}`),
    ]);
    const answered: string[] = [];
    for (const pending of asking) {
      const answer = await pending;
      // A response that was in progress when the session ended is cut off.
      const isWhole = await answer.arrayBuffer().then(
        () => true,
        () => false,
      );
      if (answer.ok && isWhole) answered.push(answer.url);
    }
    return answered;
  };
}

const ENDINGS: Record<string, () => Promise<unknown>> = {
  "they sign out everywhere": () => ada.client.auth.signOut({ scope: "global" }),
  "they sign this device out from another one": async () => {
    const { data } = await (await signInAgain()).rpc("end_session", { session_id: sessionId() }).throwOnError();
    expect(data).toBe(true);
  },
  "they delete their account": async () => {
    const { status } = await post(one, "delete-account", { password: ada.password }, bearer());
    expect(status).toBe(200);
  },
  "they are banned": async () => {
    const { error } = await one.service().auth.admin.updateUserById(ada.id, { ban_duration: "24h" });
    expect(error).toBeNull();
  },
  "they change their password on another device": async () => {
    const { error } = await (await signInAgain()).auth.updateUser({
      password: `another good one ${randomBytes(8).toString("hex")}`,
    });
    expect(error).toBeNull();
  },
};

describe("within a second nothing opens in any process", () => {
  test.each(Object.entries(ENDINGS))("when %s", async (_what, end) => {
    const answered = await openings();
    expect(await answered()).toHaveLength(8);
    await end();
    await expectEnded(answered);
  });
});

test("a token of an ended session is refused as ended, and cannot be refreshed", async () => {
  await ada.client.auth.signOut({ scope: "global" });
  const read = () => other.client(ada.token).from("memories").select("id");
  await expect.poll(async () => (await read()).error).toMatchObject({ code: "PGRST303", message: "JWT expired" });
  const user = await fetch(`${other.url}/auth/v1/user`, { headers: bearer() });
  expect(user.status).toBe(403);
  expect(await user.json()).toMatchObject({ error_code: "session_not_found" });
});

test("Spec §8: every function answers an ended session as an expired token, so that browsers lead to sign-in", async () => {
  await ada.client.auth.signOut({ scope: "global" });
  const functions = [
    "my-data",
    "claim-card",
    "delete-account",
    "create-checkout-session",
    "prepare-download",
    "share-pin",
  ];
  const paths = [
    ...functions.map((name) => `/functions/v1/${name}`),
    ...["send-email", "create-checkout"].map((name) => `/.netlify/functions/${name}`),
  ];
  const email = { toEmail: "rosa@example.com", subject: "Hello", message: "Look", inviterEmail: ada.email };
  const ask = async (path: string) => {
    const headers = { ...bearer(), "content-type": "application/json", "x-user-id": ada.id };
    const reply = await fetch(`${other.url}${path}`, { method: "POST", headers, body: JSON.stringify(email) });
    return { path, status: reply.status, body: await reply.json() };
  };
  await expect
    .poll(() => Promise.all(paths.map(ask)))
    .toEqual(paths.map((path) => ({ path, status: 401, body: expect.objectContaining({ message: "JWT expired" }) })));
});

test("other sessions of the same person go on", async () => {
  const remaining = await signInAgain();
  const { data } = await remaining.auth.getSession();
  await remaining.auth.signOut({ scope: "others" });
  const reader = other.client(data.session?.access_token);
  await expect.poll(async () => (await other.client(ada.token).from("memories").select("id")).status).toBe(401);
  expect((await reader.from("memories").select("id").throwOnError()).data).toEqual([{ id: memoryId }]);
});

test("a channel in another process is closed, and receives no further changes", async () => {
  const reader = other.client(ada.token);
  const { channel, events } = await follow(reader);
  await ada.client.auth.signOut({ scope: "global" });
  await expect.poll(() => channel.state).toBe("closed");
  await one.db.query("update memories set person_name = 'Nobody hears this' where id = $1", [memoryId]);
  expect(events).toEqual([]);
  await reader.removeAllChannels();
});

test("a running download from another process is cut off", async () => {
  const name = await store(Buffer.concat([await jpeg(), randomBytes(PADDING)]));
  const { pathname, search } = new URL(await signedUrl(name));
  const flowing = [
    downloadSlowly(`${other.url}${pathname}${search}`),
    downloadSlowly(`${other.url}/storage/v1/object/media/${name}`, bearer()),
  ];
  await Promise.all(flowing.map(({ begun }) => begun));
  await ada.client.auth.signOut({ scope: "global" });
  for (const { outcome } of flowing) {
    const { status, brokeOff, received, promised } = await outcome;
    expect({ status, brokeOff }).toEqual({ status: 200, brokeOff: true });
    expect(received).toBeLessThan(promised / 2);
  }
});

test("a session that ends while a process has no listener is refused as well", async () => {
  const answered = await openings();
  expect(await answered()).toHaveLength(8);
  const { rows } = await one.db.query<{ lost: number }>(
    `with ended as (delete from auth.sessions where user_id = $1)
     select count(*) filter (where pg_terminate_backend(pid)) as lost
     from pg_stat_activity where datname = current_database() and query in ('select', 'listen "session_ended"')`,
    [ada.id],
  );
  expect(rows).toEqual([{ lost: 2 }]);
  await expectEnded(answered);
});

test("reads cost no query for the session once it is known", async () => {
  const reader = other.client(ada.token);
  const read = () => reader.from("memories").select("id").throwOnError();
  const scans = async () => {
    const { rows } = await one.db.query<{ scans: number }>(
      "select seq_scan + idx_scan as scans from pg_stat_user_tables where relid = 'auth.sessions'::regclass",
    );
    return rows[0]?.scans;
  };
  await read();
  await one.db.query("select pg_stat_force_next_flush()");
  const before = (await scans()) ?? 0;
  for (let turn = 0; turn < 100; turn++) await read();
  await other.db.query("select pg_stat_force_next_flush()");
  // Connections report their statistics late.
  expect(((await scans()) ?? 0) - before).toBeLessThan(50);
});
