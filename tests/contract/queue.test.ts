import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { releaseClaims } from "../../server/jobs/jobs.ts";
import { type Item, queueJob, type Work } from "../../server/jobs/queue.ts";
import type { Stop } from "../../server/jobs/worker.ts";
import { testDatabase } from "../support/database.ts";
import { never, runOnce } from "../support/jobs.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
const quiet = { warn() {}, error() {} };
const files = { activeUploads: { any: () => false, begin: () => () => {} } } as never;
let done: string[];
beforeEach(async () => {
  done = [];
  await db.query("delete from private.work");
});

/** Work about nothing, which notes what it did. */
const workOf = (changes: Partial<Work<string>> = {}) =>
  queueJob<string>({ db, files, log: quiet }, {
    kind: "films",
    pauseSeconds: 30,
    load: async (subject: string) => subject,
    run: async (subject: string, { end }: Item) => end(async () => void done.push(subject)),
    isFinal: () => false,
    giveUp: (subject: string) => async () => void done.push(`gave up ${subject}`),
    ...changes,
  } as Work<string>);

async function enqueue({ age = 0, seconds = 0, attempts = 0, kind = "films" } = {}): Promise<string> {
  const subject = randomUUID();
  await db.query(
    `insert into private.work (kind, subject, due_at, seconds, attempts) values ($1, $2, now() - make_interval(secs => $3), $4, $5)`,
    [kind, subject, age, seconds, attempts],
  );
  return subject;
}
const rows = async () =>
  (
    await db.query<{ subject: string; attempts: number; claimed: boolean; wait: number }>(
      `select subject, attempts, claim is not null as claimed,
         case when isfinite(due_at) then extract(epoch from due_at - now())::float8 else -1 end as wait from private.work`,
    )
  ).rows;
const dueNow = () => db.query("update private.work set due_at = now()");

/** A promise that a test resolves. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

test("the item that has waited longest is first, and other kinds are left alone", async () => {
  const [late, early] = [await enqueue(), await enqueue({ age: 60 })];
  await enqueue({ kind: "photos" });
  await runOnce(workOf());
  expect(done).toEqual([early, late]);
  expect(await rows()).toHaveLength(1);
});

test("short items come first, but not before one that has waited for longer than its own length", async () => {
  const long = await enqueue({ seconds: 900 });
  const short = await enqueue({ seconds: 20 });
  const aged = await enqueue({ seconds: 900, age: 3600 });
  await runOnce(workOf({ shortestFirst: { longAtOnce: 1 } }));
  expect(done).toEqual([aged, short, long]);
});

test("two processes never do the same item, and each item is done", async () => {
  const subjects = await Promise.all(Array.from({ length: 20 }, () => enqueue()));
  await Promise.all([runOnce(workOf()), runOnce(workOf()), runOnce(workOf())]);
  expect(done.toSorted()).toEqual(subjects.toSorted());
});

test("a claim is a lease: the item of a killed process is done by another one after it", async () => {
  const subject = await enqueue();
  await db.query("update private.work set claim = gen_random_uuid(), attempts = 1, due_at = now() + interval '30 s'");
  await runOnce(workOf());
  expect(done).toEqual([]);
  await releaseClaims(db);
  await runOnce(workOf());
  expect(done).toEqual([subject]);
});

test("a result is stored only while its claim is held", async () => {
  const subject = await enqueue();
  const results: boolean[] = [];
  const run = async (_subject: string, { end }: Item) => {
    // Another process took it, e.g. because this one was paused for a minute.
    await db.query("update private.work set claim = gen_random_uuid(), attempts = attempts + 1");
    results.push(await end((tx) => tx.query("insert into private.job_leases (job, until) values ('result', now())")));
    return false;
  };
  await runOnce(workOf({ run }));
  expect(results).toEqual([false]);
  expect((await db.query("select from private.job_leases where job = 'result'")).rows).toEqual([]);
  expect(await rows()).toMatchObject([{ subject, attempts: 2, claimed: true }]);
});

test("failures are counted and paused, and the third one gives up", async () => {
  const subject = await enqueue();
  const run = async () => Promise.reject(new Error("It does not work"));
  for (const attempts of [1, 2]) {
    await runOnce(workOf({ run }));
    expect(await rows()).toMatchObject([{ attempts, claimed: false, wait: expect.closeTo(30, -1) }]);
    await dueNow();
  }
  await runOnce(workOf({ run }));
  expect([done, await rows()]).toEqual([[`gave up ${subject}`], []]);
});

test("a final failure gives up at once, and so do three attempts that ended their process", async () => {
  const subject = await enqueue();
  await runOnce(workOf({ run: async () => Promise.reject(new Error("Never")), isFinal: () => true }));
  expect(done).toEqual([`gave up ${subject}`]);
  const crashing = await enqueue({ attempts: 3 });
  await runOnce(workOf());
  expect(done).toEqual([`gave up ${subject}`, `gave up ${crashing}`]);
});

test("an item that nobody needs any more leaves the queue", async () => {
  await enqueue();
  await runOnce(workOf({ load: async () => undefined }));
  expect([done, await rows()]).toEqual([[], []]);
});

test("what a stopping worker interrupts is not counted, and comes first", async () => {
  const subject = await enqueue();
  const later = await enqueue();
  const stopping = new AbortController();
  const stop: Stop = { ...never, requested: stopping.signal };
  const run = async (_subject: string, { signal }: Item) => {
    stopping.abort();
    signal.throwIfAborted();
    return false;
  };
  await db.query("update private.work set due_at = now() - interval '1 minute' where subject = $1", [subject]);
  await workOf({ run }).run(stop);
  expect((await rows()).find((row) => row.subject === subject)).toMatchObject({ attempts: 0, claimed: false });
  await runOnce(workOf());
  expect(done).toEqual([subject, later]);
});

test("a process works on one long item, and on short ones meanwhile", async () => {
  const [first, second] = [await enqueue({ seconds: 900, age: 7200 }), await enqueue({ seconds: 900 })];
  const { open, passed } = gate();
  const job = workOf({
    shortestFirst: { longAtOnce: 1 },
    run: async (subject, { end }) => {
      if (subject === first) await passed;
      return end(async () => void done.push(subject));
    },
  });
  const running = job.run(never);
  await expect.poll(async () => (await rows()).filter(({ claimed }) => claimed).length, { timeout: 180_000 }).toBe(1);
  const short = await enqueue({ seconds: 20 });
  await job.run(never);
  expect(done).toEqual([short]);
  open();
  await running;
  expect(done).toEqual([short, first, second]);
});

let world: World | undefined;

/** The statement of the version before that claims in this table. */
async function earlierClaim(table: string): Promise<string> {
  const url = new URL("../support/baseline.json", import.meta.url);
  const { statements }: { statements: string[] } = JSON.parse(await readFile(url, "utf8"));
  return statements.find((text) => text.startsWith("with longest") && text.includes(`private.${table} c`)) ?? "";
}

test.each([
  ["photos", "media_claims", "update media set state = 'waiting' where id = $1"],
  ["motions", "motion_claims", "update media set state = 'ready', motion = 'waiting' where id = $1"],
  [
    "video-streams",
    "video_copies",
    "update media set type = 'video', state = 'ready', visitor_copy = 'waiting' where id = $1",
  ],
  [
    "video-copies",
    "playback_claims",
    "update media set type = 'video', state = 'ready', playback = 'waiting' where id = $1",
  ],
])("the claims of the version before on %s and those of the queue exclude each other", async (kind, table, wait) => {
  world ??= await makeWorld(db);
  await db.query("delete from private.work");
  await db.query(wait, [world.objectId]);
  expect(await rows()).toMatchObject([{ subject: world.objectId, attempts: 0 }]);
  const claim = await earlierClaim(table);
  const claims = async () => (await db.query<{ attempts: number }>(claim, [30])).rows.map(({ attempts }) => attempts);

  // The version before has it: the queue waits, also after a renewal.
  expect(await claims()).toEqual([1]);
  expect(await rows()).toMatchObject([{ attempts: 1, wait: expect.closeTo(30, -1) }]);
  await db.query(`update private.${table} set until = now() + interval '60 s' where media_id = $1 and attempts = 1`, [
    world.objectId,
  ]);
  expect(await rows()).toMatchObject([{ attempts: 1, wait: expect.closeTo(60, -1) }]);
  // It was killed, and the queue has the item: the version before finds nothing, and cannot renew.
  await db.query(`update private.${table} set until = '-infinity'`);
  await db.query("update private.work set claim = gen_random_uuid(), attempts = 2, due_at = now() + interval '30 s'");
  expect(await claims()).toEqual([]);
  const renewed = await db.query(`update private.${table} set until = now() where media_id = $1`, [world.objectId]);
  expect(renewed.changed).toBe(0);
  // The process of the queue was killed: the version before goes on, and ends the work.
  await dueNow();
  expect(await claims()).toHaveLength(1);
  await db.query(`delete from private.${table} where media_id = $1`, [world.objectId]);
  expect((await db.query("select from private.work where kind = $1", [kind])).rows).toEqual([]);
});
