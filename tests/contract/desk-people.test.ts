import { beforeAll, expect, test } from "vitest";
import { processReportJob } from "../../server/jobs/housekeeping.ts";
import { refusalCount } from "../../server/limits/count-refusals.ts";
import { runOnce } from "../support/jobs.ts";
import { enqueuedTo, newestTo } from "../support/mailbox.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { post } from "../support/sharing.ts";
import { staffMember } from "../support/staff.ts";

const server = await testServer({ SMTP_URL: "smtp://skies:hidden-word@127.0.0.1:2525" });
let admin: Person;
let support: Person;
beforeAll(async () => {
  [admin, support] = [await staffMember(server, "admin"), await staffMember(server, "support")];
});

const act = (by: Person, body: object) => by.client.functions.invoke("desk-account", { body });
const actsOn = async (id: string) => {
  const { data } = await admin.client.from("audit_log").select("action,reason,actor").eq("subject", id).order("id");
  return data;
};

test("staff find an account by word prefixes or id, and see its counts but not its content", async () => {
  const ada = await signUpWithPlan(server, "Ada Lovelace");
  await ada.client.from("memories").insert({ person_name: "A private name" }).throwOnError();
  for (const find of ["love ada", "ADA LOV", ada.email, ada.email.slice(0, 9), ada.id]) {
    const { data } = await support.client.rpc("desk_people", { find });
    expect([find, data?.map(({ id }: { id: string }) => id)]).toEqual([find, expect.arrayContaining([ada.id])]);
  }
  expect((await support.client.rpc("desk_people", { find: "nobody-has-this" })).data).toEqual([]);
  const { data } = await support.client.rpc("desk_person", { person: ada.id });
  expect(data).toMatchObject({
    email: ada.email,
    counts: { memories: 1, photos: 0 },
    plan: { plan_id: "skies-memories" },
  });
  expect(data.sessions).toHaveLength(1);
  expect(JSON.stringify(data)).not.toContain("A private name");
});

test("a suspended person is signed out and cannot sign in until they are let back", async () => {
  const bob = await signUp(server, "Bob");
  await admin.client.rpc("suspend_person", { whom: bob.id, reason: "Abuse" }).throwOnError();
  expect((await bob.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  expect((await bob.client.auth.signInWithPassword(bob)).error?.code).toBe("user_banned");
  expect((await act(admin, { act: "sign-in-link", person: bob.id, reason: "Asked" })).error).not.toBeNull();
  expect((await admin.client.rpc("desk_people", { kind: "suspended" })).data).toMatchObject([{ id: bob.id }]);
  await admin.client.rpc("let_back_person", { whom: bob.email, reason: "Sorted out" }).throwOnError();
  expect((await bob.client.auth.signInWithPassword(bob)).error).toBeNull();
  const by = { actor: admin.id };
  expect(await actsOn(bob.id)).toEqual([
    { ...by, action: "person.suspend", reason: "Abuse" },
    { ...by, action: "person.let_back", reason: "Sorted out" },
  ]);
});

test("a sign-in link goes to the person alone, and the code in it signs them in", async () => {
  const cora = await signUp(server, "Cora");
  const sent = await act(admin, { act: "sign-in-link", person: cora.id, reason: "Lost her password" });
  expect(sent.data).toEqual({ done: true });
  const { url, code } = await newestTo(server, cora.email, "magic-link");
  expect(new URL(url).hash).toBe(`#email=${encodeURIComponent(cora.email)}`);
  const signedIn = await server.client().auth.verifyOtp({ email: cora.email, token: code, type: "email" });
  expect(signedIn.data.user?.id).toBe(cora.id);
  expect(await actsOn(cora.id)).toMatchObject([{ action: "person.sign_in_link", reason: "Lost her password" }]);
});

test("a corrected address signs in, and a code sent to the former one does not", async () => {
  const dan = await signUp(server, "Dan");
  await server.client().auth.signInWithOtp({ email: dan.email });
  const { code } = await newestTo(server, dan.email, "magic-link");
  const email = `right.${dan.email}`;
  expect((await act(admin, { act: "address", person: dan.id, email, reason: "Mistyped" })).error).toBeNull();
  const old = await server.client().auth.verifyOtp({ email: dan.email, token: code, type: "email" });
  expect(old.error?.code).toBe("otp_expired");
  expect((await server.client().auth.signInWithPassword({ email, password: dan.password })).error).toBeNull();
  const taken = await act(admin, { act: "address", person: dan.id, email: admin.email, reason: "Mistyped" });
  expect(await taken.error?.context.json()).toMatchObject({ code: "email_exists" });
  // The record of a refused act is undone with it.
  expect(await actsOn(dan.id)).toHaveLength(1);
});

test("an administrator can grant and end a plan, and erase an account with its emails", async () => {
  const eve = await signUp(server, "Eve");
  const grant = await admin.client.rpc("grant_plan", { email: eve.id, plan: "skies-pro", years: 2, reason: "Sorry" });
  expect(grant.data).toMatchObject({ plan_id: "skies-pro" });
  const { data } = await admin.client.rpc("desk_person", { person: eve.id });
  const ended = { subscription: data.plans[0].id, reason: "Mistake" };
  expect((await admin.client.rpc("end_granted_plan", ended)).data).toMatchObject({ plan_id: "skies-starter" });
  await act(admin, { act: "sign-in-link", person: eve.id, reason: "Asked" });
  await admin.client.rpc("erase_person", { whom: eve.email, reason: "Asked by letter" }).throwOnError();
  expect((await eve.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  expect(await enqueuedTo(server, eve.email)).toEqual([]);
  expect(await actsOn(eve.id)).toMatchObject([
    ...["person.plan", "person.plan", "person.sign_in_link"].map((action) => ({ action })),
    { action: "person.erase", reason: "Asked by letter" },
  ]);
});

test("support can change nothing, and administrators need a reason and cannot act on themselves", async () => {
  const fay = await signUp(server, "Fay");
  const asSupport = { whom: fay.id, reason: "Why" };
  for (const name of ["suspend_person", "let_back_person", "erase_person"]) {
    expect([name, (await support.client.rpc(name, asSupport)).error?.code]).toEqual([name, "PT404"]);
  }
  for (const person of [support, fay]) {
    const refused = await act(person, { act: "sign-in-link", person: admin.id, reason: "Why" });
    expect(refused.error?.context.status).toBe(404);
  }
  const noted = await support.client.from("staff_notes").insert({ user_id: fay.id, body: "Called" });
  expect(noted.error?.code).toBe("42501");
  expect((await admin.client.rpc("suspend_person", { whom: fay.id, reason: " " })).error?.code).toBe("PT400");
  expect((await admin.client.rpc("suspend_person", { whom: admin.id, reason: "Why" })).error?.hint).toBe("own_account");
  expect((await fay.client.auth.getUser()).error).toBeNull();
});

test("an administrator sees jobs, refusals and settings without secrets, and can send a dead email again", async () => {
  const refusals = refusalCount();
  refusals.putBack({ auth: 2 });
  const error = { at: new Date(), message: "No room" };
  const states = () => [{ name: "photos", status: "failing" as const, failures: 3, runs: 4, error }];
  await runOnce(processReportJob({ db: server.db, states, refusals }));
  refusals.putBack({ auth: 1 });
  await runOnce(processReportJob({ db: server.db, states, refusals }));
  const { data, error: refused } = await admin.client.functions.invoke("desk-system", { body: {} });
  expect(refused).toBeNull();
  expect(data).toMatchObject({
    jobs: [{ job: "photos", status: "failing", failures: 3, error: "No room" }],
    refusals: { auth: 3 },
    settings: expect.arrayContaining([
      { name: "LOG_LEVEL", isSet: true, value: "error" },
      { name: "SMTP_URL", isSet: true, value: null },
    ]),
  });
  expect(JSON.stringify(data)).not.toMatch(/hidden-word|postgres:\/\//);

  // Limits count all visitors of a proxy as one unless TRUST_PROXY names it, which the administrator reads here.
  const through = async (at: typeof server, forwarded?: string) => {
    const headers = { authorization: `Bearer ${admin.token}`, ...(forwarded && { "x-forwarded-for": forwarded }) };
    return (await post(at, "desk-system", {}, headers)).body.untrusted_proxy;
  };
  const lines: string[] = [];
  const logStream = { write: (line: string) => lines.push(line) };
  const proxied = await testServer({ LOG_LEVEL: "warn" }, server, { logStream });
  expect(await through(proxied)).toBeNull();
  expect(lines.join("")).not.toContain("TRUST_PROXY");
  for (let time = 0; time < 2; time++) expect(await through(proxied, "203.0.113.9")).toBe("127.0.0.1");
  expect(lines.filter((line) => line.includes("TRUST_PROXY"))).toHaveLength(1);
  const trusting = await testServer({ TRUST_PROXY: "127.0.0.1" }, server);
  expect(await through(trusting, "203.0.113.9")).toBeNull();

  const { rows } = await server.db.query<{ id: string }>(
    `insert into private.outbox (kind, template, language, recipient, state, settled_at, expires_at, attempts)
     values ('mail', 'welcome', 'en', 'one@example.com', 'dead', now(), null, 12),
       ('mail', 'magic-link', 'en', 'two@example.com', 'dead', now(), now() - interval '1 hour', 12) returning id`,
  );
  const [fresh, expired] = rows.map(({ id }) => id);
  expect((await admin.client.rpc("desk_outbox")).data?.map(({ id }: { id: string }) => id).sort()).toEqual(
    [fresh, expired].sort(),
  );
  expect((await admin.client.rpc("retry_message", { message: expired })).error?.code).toBe("PT410");
  await admin.client.rpc("retry_message", { message: fresh }).throwOnError();
  expect((await admin.client.rpc("desk_outbox", { kind: "waiting" })).data).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ id: fresh, attempts: 0 })]),
  );
  expect(await actsOn(fresh ?? "")).toMatchObject([{ action: "outbox.retry" }]);
});
