import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import type { Caller } from "../../server/database/as-caller.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { openSessions } from "../../server/supabase/open-sessions.ts";
import { atEnd } from "../support/at-end.ts";
import { closing, follow } from "../support/changes.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { expectEnded } from "../support/ended.ts";
import { type Person, signUp } from "../support/people.ts";
import { codeOf, enrolApp, protect } from "../support/second-factor.ts";
import { testServer } from "../support/server.ts";
import { newMemory, post, shareFirstLink } from "../support/sharing.ts";
import { staffMember } from "../support/staff.ts";
import { freshName, jpeg } from "../support/uploads.ts";

/** Two servers over one database and one folder. A change is made at one, and both must know it. */
const databaseUrl = await testDatabaseUrl();
const dataDir = await mkdtemp(join(tmpdir(), "skies-claims-"));
atEnd(() => rm(dataDir, { recursive: true, force: true }));
const start = async () => {
  const db = await openPostgres(databaseUrl);
  atEnd(() => db.close());
  return testServer({}, { db, dataDir });
};
const [one, other] = [await start(), await start()];
const servers = [one, other];

const sessionOf = ({ token }: Person) => String(decodeJwt(token).session_id);
const factorOf = async ({ id }: Person) => {
  const { rows } = await one.db.query<{ id: string }>("select id from auth.mfa_factors where user_id = $1", [id]);
  return rows[0]?.id ?? "";
};
const admin = one.service().auth.admin;
const addOrder = (user: string) =>
  one.db.query(
    `insert into orders (user_id, email, currency, subtotal, total, status) values ($1, 'a@example.com', 'GBP', 1, 1, 'paid')`,
    [user],
  );

/** Returns a function that tries what staff may do at both servers. It resolves to what was allowed. */
async function deskOf(person: Person) {
  const { email } = await signUp(one, "Somebody");
  const attempts = servers.flatMap((server) => [
    async () => (await server.client(person.token).rpc("desk_people", {})).error ?? "desk_people",
    async () =>
      (await server.client(person.token).rpc("set_staff_role", { email, role: "support" })).error ?? "set_staff_role",
    async () => ((await server.client(person.token).from("orders").select("id")).data?.length ? "orders" : ""),
    async () => {
      const reply = await post(server, "desk-system", {}, { authorization: `Bearer ${person.token}` });
      return reply.status === 200 ? "desk-system" : "";
    },
  ]);
  return async () => {
    const outcomes = await Promise.all(attempts.map((attempt) => attempt()));
    return outcomes.filter((outcome) => typeof outcome === "string" && outcome !== "");
  };
}

/** What makes the claims of an administrator's token untrue. */
const ENDINGS: Record<string, (person: Person) => Promise<unknown>> = {
  "they remove their only factor": async ({ client, id }) => {
    const { error } = await client.auth.mfa.unenroll({ factorId: await factorOf({ id } as Person) });
    expect(error).toBeNull();
  },
  "the service removes their factor": async (person) => {
    const { error } = await admin.mfa.deleteFactor({ userId: person.id, id: await factorOf(person) });
    expect(error).toBeNull();
  },
  "the factor's row disappears": ({ id }) => one.db.query("delete from auth.mfa_factors where user_id = $1", [id]),
  "the factor is no longer verified": ({ id }) =>
    one.db.query("update auth.mfa_factors set status = 'unverified' where user_id = $1", [id]),
  "the service takes their role": async ({ id }) => {
    expect((await admin.updateUserById(id, { app_metadata: { role: null } })).error).toBeNull();
  },
  "an administrator takes their role": async ({ email }) => {
    await one.service().rpc("set_staff_role", { email, role: null }).throwOnError();
  },
  "they are banned": ({ id }) => one.db.query("update auth.users set banned_until = 'infinity' where id = $1", [id]),
  "their session expires": ({ id }) =>
    one.db.query("update auth.sessions set not_after = now() where user_id = $1", [id]),
  "their account is deleted": ({ id }) => one.db.query("delete from auth.users where id = $1", [id]),
};

describe("within a second the desk is closed in every process", () => {
  test.each(Object.entries(ENDINGS))("when %s", async (_what, end) => {
    const person = await staffMember(one, "admin");
    await addOrder((await signUp(one, "Buyer")).id);
    const desk = await deskOf(person);
    expect(await desk()).toHaveLength(8);
    await end(person);
    await expectEnded(desk);
  });
});

test("the database refuses the desk in the very next statement, also to claims that a process still holds", async () => {
  const person = await staffMember(one, "admin");
  const claims = JSON.stringify(decodeJwt(person.token));
  const mayNow = async () => {
    const { rows } = await one.db.query<{ may: boolean }>(
      `with claims as materialized (select set_config('request.jwt.claims', $1, true) as set)
       select case when claims.set is not null then private.has_role('admin') end as may from claims`,
      [claims],
    );
    return rows[0]?.may;
  };
  expect(await mayNow()).toBe(true);
  await one.db.query("delete from auth.mfa_factors where user_id = $1", [person.id]);
  expect(await mayNow()).toBe(false);
});

test("a person who removed the factor that a session used needs another one, also for URLs, links and downloads", async () => {
  const ada = await signUp(one, "Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const { data: first } = await ada.client.from("share_links").select("share_id").single().throwOnError();
  const used = await protect(one, ada);
  const spare = await enrolApp(ada, "tablet");
  await one.db.query("update auth.mfa_factors set status = 'verified' where id = $1", [spare.id]);
  const photo = freshName(memory.id, "jpg");
  await ada.client.storage.from("media").upload(photo, await jpeg(), { contentType: "image/jpeg" });
  const { data: signed } = await ada.client.storage.from("media").createSignedUrl(photo, 3600);
  const path = new URL(signed?.signedUrl ?? "");
  const authorization = `Bearer ${ada.token}`;
  const shared = await post(one, "open-share", { shareId: first.share_id }, { authorization });
  const ticket = await post(one, "prepare-download", { memoryId: memory.id, archive: true }, { authorization });
  const download = new URL(String(ticket.body.url));
  const json = { "content-type": "application/json" };
  const opens = async () => {
    const replies = await Promise.all(
      servers.flatMap(({ url, keys }) => [
        fetch(`${url}/storage/v1/object/media/${photo}`, { headers: { authorization } }),
        fetch(`${url}${path.pathname}${path.search}`),
        fetch(`${url}${download.pathname}${download.search}`),
        fetch(`${url}/functions/v1/my-data`, { method: "POST", headers: { ...json, authorization }, body: "{}" }),
        ...[ada.token, String(shared.body.token)].map(async (token) => {
          const headers = { apikey: keys.publishable, authorization: `Bearer ${token}` };
          const reply = await fetch(`${url}/rest/v1/memories?select=id&id=eq.${memory.id}`, { headers });
          return new Response(null, { status: ((await reply.json()) as unknown[]).length > 0 ? 200 : 404 });
        }),
      ]),
    );
    await Promise.all(replies.map((reply) => reply.arrayBuffer().catch(() => {})));
    return replies.filter(({ ok }) => ok).map(({ url }) => url);
  };
  expect(await opens()).toHaveLength(12);
  expect((await ada.client.auth.mfa.unenroll({ factorId: used.id })).error).toBeNull();
  await expectEnded(opens);
  const { error } = await ada.client.auth.mfa.challengeAndVerify({ factorId: spare.id, code: codeOf(spare.secret) });
  expect(error).toBeNull();
  expect((await ada.client.from("memories").select("id").throwOnError()).data).toHaveLength(1);
});

test("without any factor left, everything of one's own stays open with the same token", async () => {
  const ada = await signUp(one, "Ada");
  const { id } = await newMemory(ada.client, { person_name: "Rosa" });
  const app = await protect(one, ada);
  await ada.client.auth.mfa.unenroll({ factorId: app.id });
  for (const server of servers) {
    const { data } = await server.client(ada.token).from("memories").select("id").throwOnError();
    expect(data).toEqual([{ id }]);
  }
});

test("an open socket stops receiving what only the removed role could see, and keeps the rest", async () => {
  const person = await staffMember(one, "admin");
  const buyer = await signUp(one, "Buyer");
  await addOrder(buyer.id);
  const reader = closing(other.client(person.token));
  const orders = await follow(reader, { table: "orders" });
  const cart = await follow(reader, { table: "cart_items" });
  const touch = (user: string) => one.db.query("update orders set total = total where user_id = $1", [user]);
  await touch(buyer.id);
  await expect.poll(() => orders.events.length).toBe(1);
  await one.db.query("delete from auth.mfa_factors where user_id = $1", [person.id]);
  await touch(buyer.id);
  // Its own row comes after the hidden change.
  await one.db.query("insert into cart_items (user_id, plan_id) values ($1, 'skies-memories')", [person.id]);
  await expect.poll(() => cart.events.length).toBe(1);
  expect(orders.events).toHaveLength(1);
});

test("a caller has the present address, role and level of its session, and nothing that its token lacks", async () => {
  const sessions = await openSessions(one.db);
  atEnd(() => sessions.close());
  const person = await staffMember(one, "admin");
  const caller = (await sessions.present(decodeJwt(person.token) as Caller)) as Caller;
  expect(caller).toMatchObject({ email: person.email, aal: "aal2", app_metadata: { role: "admin" } });
  const email = `${randomUUID()}@example.com`;
  await admin.updateUserById(person.id, { email, app_metadata: { role: "support" } });
  await expect
    .poll(() => sessions.present(caller))
    .toMatchObject({ email, aal: "aal2", app_metadata: { role: "support", providers: ["email"] } });
  const ofLink: Caller = { role: "authenticated", sub: person.id, session_id: sessionOf(person), aal: "aal1" };
  expect(await sessions.present(ofLink)).toEqual(ofLink);
  await one.db.query("delete from auth.sessions where user_id = $1", [person.id]);
  await expect.poll(() => sessions.present(caller)).toBeUndefined();
});

test("a second factor counts at once, also before the process hears of it", async () => {
  const person = await signUp(one, "Ada");
  const deaf = await openSessions({ read: one.db.read.bind(one.db), listen: async () => async () => {} });
  const before: Caller = { ...decodeJwt(person.token), role: "authenticated" };
  await expect.poll(() => deaf.present(before)).toMatchObject({ aal: "aal1" });
  await protect(one, person);
  const after: Caller = { ...decodeJwt(person.token), role: "authenticated" };
  expect(await deaf.present(after)).toMatchObject({ aal: "aal2" });
});
