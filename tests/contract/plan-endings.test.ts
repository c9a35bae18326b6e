import { beforeEach, expect, test } from "vitest";
import { jobsFor } from "../../server/jobs/jobs.ts";
import { remindOfEndings } from "../../server/jobs/plan-terms.ts";
import { startWorker } from "../../server/jobs/worker.ts";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp } from "../support/people.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const { db } = server;
const END = new Date("2090-06-30T12:00:00Z");
const before = (days: number) => new Date(END.getTime() - days * 86_400_000);
let ada: Person;

beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from private.outbox");
  ada = await signUp(server, "Ada");
  await givePlan(db, ada.id, { expiresAt: END });
});

const remind = (days: number) => remindOfEndings(db, "https://skies.example", before(days));
const emails = async () =>
  (
    await db.query<{ days: number; language: string; props: object }>(
      `select (props ->> 'days')::int as days, language, props from private.outbox
       where template = 'plan-ending' and recipient = $1 order by created_at`,
      [ada.email],
    )
  ).rows;

test("an email goes 30 and 7 days before the end, each once, however many processes send it", async () => {
  await remind(30.5);
  expect(await emails()).toEqual([]);
  await Promise.all([remind(30), remind(30), remind(29.9)]);
  await remind(8);
  expect(await emails()).toMatchObject([
    { days: 30, language: "en", props: { plan: "Skies Memories", url: "https://skies.example/subscribe" } },
  ]);
  await Promise.all([remind(7), remind(7), remind(1)]);
  await remind(-1);
  expect((await emails()).map(({ days }) => days)).toEqual([30, 7]);
});

test("no email goes to a person who renewed, or whose plan lasts a week", async () => {
  await givePlan(db, ada.id, { expiresAt: new Date(END.getTime() + 400 * 86_400_000) });
  await remind(20);
  await remind(5);
  expect(await emails()).toEqual([]);
  await db.query("update user_subscriptions set expires_at = $1, starts_at = $2", [END, before(7)]);
  await remind(6);
  expect(await emails()).toEqual([]);
});

test("the email is in its reader's language, and expires with the plan", async () => {
  await db.query(
    `update auth.users set raw_user_meta_data = raw_user_meta_data || '{"language": "it"}' where id = $1`,
    [ada.id],
  );
  await remind(3);
  expect(await emails()).toMatchObject([{ days: 7, language: "it" }]);
  const { rows } = await db.query("select expires_at from private.outbox where template = 'plan-ending'");
  expect(rows).toEqual([{ expires_at: END }]);
});

test("plan-ending emails are enqueued and waiting plans begin even without a payment gateway", async () => {
  await db.query(
    "update user_subscriptions set starts_at = now() - interval '300 days', expires_at = now() + interval '9 days'",
  );
  const bob = await signUp(server, "Bob");
  await givePlan(db, bob.id);
  await db.query("update user_subscriptions set status = 'waiting' where user_id = $1", [bob.id]);
  const stateOfBobs = async () =>
    (await db.query("select status from user_subscriptions where user_id = $1", [bob.id])).rows;
  const log = { warn: () => undefined, error: () => undefined };
  const jobs = jobsFor({ db, files: server.files, gateways: {}, site: "https://skies.example", log });
  const worker = startWorker(jobs, { db, log });
  await expect.poll(emails).toMatchObject([{ days: 30, props: { url: "https://skies.example/subscribe" } }]);
  await expect.poll(stateOfBobs).toEqual([{ status: "active" }]);
  await worker.stop();
});
