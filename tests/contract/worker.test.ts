import { expect, test, vi } from "vitest";
import { renewing } from "../../server/jobs/claims.ts";
import { oneProcess } from "../../server/jobs/one-process.ts";
import { type Job, startWorker, workOff } from "../../server/jobs/worker.ts";
import { testDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";

const db = await testDatabase();
const HOUR = 3_600_000;
const quiet = { error: () => {} };

/** A promise that a test waits for, with the function that resolves it. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}
const jobOf = (name: string, run: Job["run"], more: Partial<Job> = {}): Job => ({ name, interval: HOUR, run, ...more });

test("a stopping worker finishes running jobs and starts no new ones", async () => {
  const { open, passed } = gate();
  const done: number[] = [];
  const claims = [1, 2, 3];
  const job = jobOf("slow", async (stop) => {
    await workOff(
      stop,
      async () => claims.shift(),
      async (claim) => {
        await passed;
        done.push(claim);
      },
    );
    return undefined;
  });
  const worker = startWorker([job], { db, log: quiet });
  await expect.poll(() => claims).toEqual([2, 3]);
  const stopped = worker.stop().then(() => done.push(0));
  open();
  await stopped;
  expect(done).toEqual([1, 0]);
});

test("a scheduled job runs in one of several processes, and in another once that one stops", async () => {
  const { open, passed } = gate();
  const runs: string[] = [];
  const workerOf = (run: Job["run"]) => {
    const job = oneProcess(db, jobOf("figures", run, { interval: 500 }));
    return startWorker([{ ...job, run: (stop) => job.run(stop).then((wait) => wait && Math.min(wait, 100)) }], {
      db,
      log: quiet,
      pauses: [100],
    });
  };
  const one = workerOf(async ({ requested }) => {
    runs.push("one");
    await passed;
    return requested.aborted ? undefined : 1;
  });
  await expect.poll(() => runs).toEqual(["one"]);
  const other = workerOf(async () => {
    runs.push("other");
    if (runs.length === 2) throw new Error("The disk is full");
    return undefined;
  });
  await expect.poll(() => other.states()[0]?.runs).toBeGreaterThan(1);
  expect(runs).toEqual(["one"]);
  const stopped = one.stop();
  open();
  await stopped;
  await expect.poll(() => runs.slice(0, 3)).toEqual(["one", "other", "other"]);
  await other.stop();
});

test("a scheduled job that fails in one process runs in another", async () => {
  const runs: string[] = [];
  const workerOf = (run: () => Promise<undefined>) => {
    const job = oneProcess(db, jobOf("totals", run));
    // The process that failed does not try again during the test.
    return startWorker([job], { db, log: quiet, pauses: [HOUR] });
  };
  const one = workerOf(async () => {
    runs.push("one");
    throw new Error("The disk is full");
  });
  await expect.poll(() => one.states()[0]?.status).toBe("failing");
  const lease = await db.query("select until <= now() as ended from private.job_leases where job = 'totals'");
  expect(lease.rows).toEqual([{ ended: true }]);
  const other = workerOf(async () => {
    runs.push("other");
    return undefined;
  });
  await expect.poll(() => runs).toEqual(["one", "other"]);
  await Promise.all([one.stop(), other.stop()]);
});

test("a claim is renewed while its work runs, which is told when the claim is endangered or lost", async () => {
  vi.useFakeTimers();
  try {
    const answers: (boolean | Error)[] = [true, new Error("away"), true];
    const renew = vi.fn(async () => {
      const answer = answers.shift() ?? new Error("away");
      if (answer instanceof Error) throw answer;
      return answer;
    });
    const heard: string[] = [];
    const { open, passed } = gate();
    const done = renewing(renew, async ({ lost, endangered }) => {
      lost.addEventListener("abort", () => heard.push("lost"));
      endangered.addEventListener("abort", () => heard.push("endangered"));
      await passed;
      return "done";
    });
    // The third renewal succeeded 15 seconds after the start: the claim ends 30 seconds later.
    await vi.advanceTimersByTimeAsync(35_000);
    expect(heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(heard).toEqual(["endangered"]);
    answers.push(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(heard).toEqual(["endangered", "lost"]);
    const callCount = renew.mock.calls.length;
    open();
    expect(await done).toBe("done");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(renew).toHaveBeenCalledTimes(callCount);
  } finally {
    vi.useRealTimers();
  }
});

test("a failing job is retried after growing pauses, and other jobs keep running", async () => {
  vi.useFakeTimers();
  try {
    const log = { error: vi.fn() };
    let broken = true;
    const failing = vi.fn(async () => {
      if (broken) throw new Error("The disk of ada@example.com is full");
      return undefined;
    });
    const healthy = vi.fn(async () => undefined);
    const jobs = [jobOf("failing", failing), jobOf("healthy", healthy, { interval: 1000 })];
    const worker = startWorker(jobs, { db, log, pauses: [1000, 10_000] });
    await vi.advanceTimersByTimeAsync(999);
    expect(failing).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(failing).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(failing).toHaveBeenCalledTimes(2);
    expect(healthy.mock.calls.length).toBeGreaterThan(9);
    expect(worker.states()).toMatchObject([
      { name: "failing", status: "failing", failures: 2, error: { message: "The disk of ada@example.com is full" } },
      { name: "healthy", status: "waiting", failures: 0 },
    ]);
    broken = false;
    await vi.advanceTimersByTimeAsync(1);
    expect(worker.states()[0]).toMatchObject({ status: "waiting", failures: 0 });
    expect(log.error).toHaveBeenCalledTimes(2);
    await worker.stop();
  } finally {
    vi.useRealTimers();
  }
});

test("a notification starts a run, and one during a run starts another", async () => {
  const gates = [gate(), gate(), gate(), gate()];
  let runs = 0;
  const job = jobOf(
    "woken",
    async () => {
      runs += 1;
      await gates[runs - 1]?.passed;
      return undefined;
    },
    { channel: "work_waits" },
  );
  const worker = startWorker([job], { db, log: quiet });
  gates[0]?.open();
  // The second run checks for work from before the worker listened.
  await expect.poll(() => runs).toBe(2);
  gates[1]?.open();
  await expect.poll(() => worker.states()[0]?.status).toBe("waiting");
  const notify = () => db.query("notify work_waits");
  await notify();
  await expect.poll(() => runs).toBe(3);
  await notify();
  gates[2]?.open();
  await expect.poll(() => runs).toBe(4);
  gates[3]?.open();
  await worker.stop();
});

test("work enqueued between the first run and listening is done without waiting for the interval", async () => {
  const { open, passed } = gate();
  const waiting: string[] = [];
  const done: string[] = [];
  const listen = async () => {
    await passed;
    return async () => {};
  };
  const job = jobOf(
    "outbox",
    async () => {
      done.push(...waiting.splice(0));
      return undefined;
    },
    { channel: "work_waits" },
  );
  const worker = startWorker([job], { db: { listen }, log: quiet });
  await expect.poll(() => worker.states()[0]?.succeededAt).toBeDefined();
  waiting.push("a letter");
  open();
  await expect.poll(() => done).toEqual(["a letter"]);
  await worker.stop();
});

test("a worker whose database cannot be reached yet begins to listen once it can", async () => {
  let reachable = false;
  const heard: ((payload: string) => void)[] = [];
  const listen = async (_channel: string, wake: (payload: string) => void) => {
    if (!reachable) throw new Error("connect ECONNREFUSED");
    heard.push(wake);
    return async () => {};
  };
  const run = vi.fn(async () => undefined);
  const worker = startWorker([jobOf("late", run, { channel: "work_waits" })], {
    db: { listen },
    log: quiet,
    pauses: [5],
  });
  await expect.poll(() => run.mock.calls.length).toBe(1);
  reachable = true;
  await expect.poll(() => run.mock.calls.length).toBe(2);
  heard[0]?.("");
  await expect.poll(() => run.mock.calls.length).toBe(3);
  await worker.stop();
});

test("two workers over one database do each piece of work once", async () => {
  await db.exec(
    "create table pieces (id int primary key, done int not null default 0, claimed boolean not null default false)",
  );
  await db.exec("insert into pieces select generate_series(1, 200)");
  const job = () =>
    jobOf(
      "pieces",
      async (stop) => {
        const claim = async () =>
          (
            await db.query<{ id: number }>(
              `update pieces set claimed = true where id = (select id from pieces where not claimed
                 order by id limit 1 for update skip locked) returning id`,
            )
          ).rows[0];
        await workOff(stop, claim, async ({ id }) => {
          await db.query("update pieces set done = done + 1 where id = $1", [id]);
        });
        return undefined;
      },
      { concurrency: 2 },
    );
  const workers = [startWorker([job()], { db, log: quiet }), startWorker([job()], { db, log: quiet })];
  const remaining = async () => (await db.query("select from pieces where done = 0")).rows.length;
  await expect.poll(remaining).toBe(0);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect((await db.query("select from pieces where done <> 1")).rows).toHaveLength(0);
});

test("readyz lists the jobs and their state, without error details", async () => {
  const server = await testServer({}, undefined, { jobs: true });
  const jobs = async () => {
    const { jobs } = (await (await fetch(`${server.url}/readyz`)).json()) as { jobs: Record<string, unknown>[] };
    return jobs;
  };
  await expect.poll(async () => (await jobs()).map(({ status }) => status)).not.toContain("running");
  const states = await jobs();
  expect(states.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["photos", "plan-terms", "trash", "retention"]),
  );
  for (const state of states) {
    expect(Object.keys(state).filter((key) => !["name", "status", "startedAt", "succeededAt"].includes(key))).toEqual(
      [],
    );
  }
});
