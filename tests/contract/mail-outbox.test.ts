import { beforeEach, expect, test } from "vitest";
import { asCaller, type Caller, SERVICE, VISITOR } from "../../server/database/as-caller.ts";
import { enqueueMail } from "../../server/jobs/outbox.ts";
import { MOST_ATTEMPTS, outboxJob, prune } from "../../server/jobs/outbox-job.ts";
import { startWorker } from "../../server/jobs/worker.ts";
import { testDatabase } from "../support/database.ts";
import { testInbox } from "../support/inbox.ts";
import { address, handOutbox } from "../support/outbox.ts";

const db = await testDatabase();
const inbox = await testInbox();

beforeEach(async () => {
  await db.exec("delete from private.outbox");
});

const welcome = { template: "welcome", language: "en", props: { name: "Ada", startUrl: "https://x.example" } } as const;

test("an email arrives once, as HTML and text, and its data is deleted afterwards", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const to = address();
  await outbox.enqueueWelcome(to);
  await outbox.send();
  await outbox.send();
  expect(inbox.received(to)).toHaveLength(1);
  const [email] = inbox.received(to);
  expect(email).toMatchObject({ subject: "Welcome to Skies", from: '"Skies" <hello@skies.example>', hidden: [] });
  expect(email?.html).toContain("https://x.example");
  expect(email?.text).toContain("Create your first memory https://x.example");
  const row = await outbox.row();
  expect(row).toMatchObject({ state: "sent", attempts: 1, props: {} });
  expect(email?.headers["message-id"]).toBe(`<${row?.id}@skies.example>`);
  expect(email?.headers["reply-to"]).toBe("info@skies.example");
});

test("a hidden copy is not named in the headers", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const [to, bcc] = [address(), address("copies")];
  await outbox.enqueueWelcome(to, { bcc });
  await outbox.send();
  const [email] = inbox.received(to);
  expect(email).toMatchObject({ recipients: [to, bcc], hidden: [bcc] });
  expect(JSON.stringify(email?.headers)).not.toContain(bcc);
});

test("an email of a rolled back transaction is never sent", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const to = address();
  const undone = db.transaction(async (tx) => {
    await enqueueMail(tx, { ...welcome, to });
    throw new Error("changed our mind");
  });
  await expect(undone).rejects.toThrow("changed our mind");
  await outbox.send();
  expect(inbox.received(to)).toEqual([]);
});

test("emails with the same key are sent once", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const to = address();
  await outbox.enqueueWelcome(to, { dedupeKey: "welcome:1" });
  await outbox.enqueueWelcome(to, { dedupeKey: "welcome:1" });
  await outbox.send();
  expect(inbox.received(to)).toHaveLength(1);
});

test("a temporary failure is retried after a minute, then less and less often, and finally given up", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  await outbox.enqueueWelcome(address("busy"));
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    const before = outbox.clock().getTime();
    await outbox.send();
    const after = outbox.clock().getTime();
    const row = await outbox.row();
    const longest = Math.min(60 * 2 ** (attempt - 1), 12 * 3600);
    expect(row).toMatchObject({ state: "waiting", attempts: attempt });
    const next = row?.next_attempt_at.getTime() ?? 0;
    expect(next).toBeGreaterThanOrEqual(before + longest * 750 - 1);
    expect(next).toBeLessThanOrEqual(after + longest * 1000 + 1);
    // No attempt is made too early.
    await outbox.send();
    expect((await outbox.row())?.attempts).toBe(attempt);
    outbox.pass(longest + 1);
  }
  await outbox.send();
  expect(await outbox.row()).toMatchObject({ state: "dead", attempts: MOST_ATTEMPTS });
  expect((await outbox.row())?.last_error).toContain("451");
  expect(outbox.log.error).toHaveBeenCalledOnce();
});

test("an address that does not exist is given up at once", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  await outbox.enqueueWelcome(address("bounce"));
  await outbox.send();
  expect(await outbox.row()).toMatchObject({ state: "dead", attempts: 1 });
  expect((await outbox.row())?.last_error).toContain("550");
});

test("a hidden copy that bounces does not keep the email from its reader", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const to = address();
  await outbox.enqueueWelcome(to, { bcc: address("bounce") });
  await outbox.send();
  expect(inbox.received(to)).toHaveLength(1);
  expect(await outbox.row()).toMatchObject({ state: "sent" });
  expect((await outbox.row())?.last_error).toContain("No hidden copy");
});

test("a hidden copy goes out once, however often the email itself is tried", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const bcc = address("copies");
  await outbox.enqueueWelcome(address("busy"), { bcc });
  await outbox.send();
  expect(await outbox.row()).toMatchObject({ state: "waiting", bcc: null });
  outbox.pass(61);
  await outbox.send();
  expect(inbox.received(bcc)).toHaveLength(1);
});

test("an email whose process was killed before recording it is sent again with the same Message-ID", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const to = address("slow");
  await outbox.enqueueWelcome(to);
  // The mail server has received the email, but has not yet responded.
  const killed = outbox.send();
  await expect.poll(() => inbox.received(to)).toHaveLength(1);
  await outbox.send();
  expect(inbox.received(to)).toHaveLength(1);

  outbox.pass(31);
  const survivor = outbox.send();
  await expect.poll(() => inbox.received(to)).toHaveLength(2);
  inbox.release();
  await Promise.all([killed, survivor]);
  const [second, first] = inbox.received(to);
  expect(second?.headers["message-id"]).toBe(first?.headers["message-id"]);
  // Whichever response came first, the expired claim has changed nothing.
  expect(await outbox.row()).toMatchObject({ state: "sent", attempts: 2 });
});

test("a message that crashes every process is given up", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const to = address();
  await outbox.enqueueWelcome(to);
  await db.query("update private.outbox set attempts = $1", [MOST_ATTEMPTS]);
  await outbox.send();
  expect(await outbox.row()).toMatchObject({ state: "dead" });
  expect(inbox.received(to)).toEqual([]);
});

test("two workers send each of many emails once", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const readers = Array.from({ length: 24 }, () => address());
  for (const to of readers) await outbox.enqueueWelcome(to);
  await Promise.all([outbox.send(), outbox.send()]);
  expect(readers.map((to) => inbox.received(to).length)).toEqual(readers.map(() => 1));
});

test("an expired email is not sent", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const to = address();
  await outbox.enqueueWelcome(to, { expiresAt: new Date(Date.now() + 60_000) });
  outbox.pass(61);
  await outbox.send();
  expect(inbox.received(to)).toEqual([]);
  expect(await outbox.row()).toMatchObject({
    state: "dead",
    last_error: expect.stringMatching(/: It expired before it could be sent$/),
  });
});

test("an email with an unknown template waits", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  await outbox.enqueueWelcome(address());
  await db.exec("update private.outbox set template = 'unknown'");
  await outbox.send();
  expect(await outbox.row()).toMatchObject({ state: "waiting", attempts: 1 });
  expect(outbox.log.error).toHaveBeenCalledOnce();
});

test("finished messages are deleted after 30 days", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  await outbox.enqueueWelcome(address());
  await outbox.enqueueWelcome(address("bounce"));
  await outbox.send();
  await outbox.enqueueWelcome(address());
  outbox.pass(29 * 86_400);
  await prune(outbox.deps);
  expect(await count()).toBe(3);
  outbox.pass(86_401);
  await prune(outbox.deps);
  expect(await count()).toBe(1);
});

test("the running worker sends waiting, new and due emails until it is stopped", async () => {
  const outbox = handOutbox(db, inbox.gateways);
  const [waited, came, due] = [address(), address(), address()];
  await outbox.enqueueWelcome(waited);
  await outbox.enqueueWelcome(due);
  await db.query("update private.outbox set next_attempt_at = now() + interval '1 second' where recipient = $1", [due]);
  const { log } = outbox;
  const worker = startWorker([outboxJob({ db, gateways: inbox.gateways, log })], { db, log });
  await expect.poll(() => inbox.received(waited)).toHaveLength(1);
  await outbox.enqueueWelcome(came);
  await expect.poll(() => inbox.received(came)).toHaveLength(1);
  await expect.poll(() => inbox.received(due)).toHaveLength(1);
  await worker.stop();
  const late = address();
  await outbox.enqueueWelcome(late);
  expect(await count("waiting")).toBe(1);
});

test.each<[string, Caller]>([
  ["a visitor", VISITOR],
  ["a member", { role: "authenticated", sub: "00000000-0000-4000-8000-000000000001" }],
  ["the service key", SERVICE],
])("%s can neither read nor write the outbox", async (_who, caller) => {
  const refused = { code: "42501" };
  await expect(asCaller(db, caller, (tx) => tx.query("select 1 from private.outbox"))).rejects.toMatchObject(refused);
  await expect(asCaller(db, caller, (tx) => enqueueMail(tx, { ...welcome, to: address() }))).rejects.toMatchObject(
    refused,
  );
  await expect(asCaller(db, caller, (tx) => tx.query("delete from private.outbox"))).rejects.toMatchObject(refused);
});

async function count(state?: string) {
  const { rows } = await db.query<{ count: number }>(
    "select count(*) from private.outbox where state = coalesce($1, state)",
    [state ?? null],
  );
  return rows[0]?.count;
}
