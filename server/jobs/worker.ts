import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../database/database.ts";

/** Work outside a request. A job defines the work; the worker schedules it. */
export interface Job {
  /** Its name in logs and `/readyz`. */
  name: string;
  /** The database channels that notify of new work. */
  channel?: string | string[];
  /** Of the notifications with a payload, those that concern the job. */
  payload?: string;
  /** Milliseconds between a successful run and the next. */
  interval: number | (() => number);
  /** Milliseconds before the first run. */
  delay?: number;
  /** The maximum number of parallel runs. */
  concurrency?: number;
  /** Runs once, before the first run. */
  prepare?(): Promise<void>;
  /** Called with every notification, also during a run. */
  onNotification?(): void;
  /**
   * Does all due work. Several processes run the same jobs, so a run claims its rows or is idempotent.
   * Resolves to the milliseconds until more work is due, if known.
   */
  run(stop: Stop): Promise<number | undefined>;
}

/** Signals of the worker's stop. */
export interface Stop {
  /** Aborted when the worker stops: running work may continue, new work must not begin. */
  requested: AbortSignal;
  /** Aborted a few seconds later: running work must end. */
  overdue: AbortSignal;
}

export interface JobState {
  name: string;
  status: "waiting" | "running" | "failing";
  startedAt?: Date;
  /** The end of the last successful run. */
  succeededAt?: Date;
  /** Successful runs since the start. */
  runs: number;
  /** Failed runs since the start. */
  failures: number;
  /** The message of the last failure, for administrators only because it may quote input. */
  error?: { at: Date; message: string };
}

export interface Worker {
  states(): JobState[];
  /** Starts no new run, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

interface WorkerDeps {
  db: Pick<Database, "listen">;
  log: { error(fields: object, message: string): void };
  /** The pauses in milliseconds before a failed job is retried; the last one repeats. */
  pauses?: readonly number[];
  /** Runs a job in a trace, if there is a collector. */
  inTrace?: InTrace | undefined;
}

type InTrace = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const PAUSES_MS = [1000, 5000, 30_000, 120_000, 600_000];
/** The minimum pause between two scheduled runs. */
const SHORTEST_MS = 100;
/** How long runs may take to end when the worker stops. */
const GRACE_MS = 5000;

/** Runs jobs at once, on each notification of their channel, and by schedule. Jobs do not affect each other. */
export function startWorker(jobs: Job[], deps: WorkerDeps): Worker {
  const { db, log, pauses = PAUSES_MS, inTrace = (_name, work) => work() } = deps;
  const [requested, overdue] = [new AbortController(), new AbortController()];
  const stop: Stop = { requested: requested.signal, overdue: overdue.signal };
  const runners = jobs.map((job) => startJob(job, stop, { log, pauses, inTrace }));
  const listening = [...new Set(jobs.flatMap(({ channel }) => channel ?? []))].map((channel) => {
    const woken = runners.filter(({ job }) => [job.channel].flat().includes(channel));
    return keepHearing(db, channel, stop.requested, pauses, (payload) => {
      for (const { job, notify } of woken) if (!payload || !job.payload || payload === job.payload) notify();
    });
  });
  return {
    states: () => runners.map(({ state }) => ({ ...state })),
    async stop() {
      requested.abort();
      const grace = setTimeout(() => overdue.abort(), GRACE_MS);
      await Promise.all(listening.map(async (unlisten) => (await unlisten)?.()));
      await Promise.all(runners.map(({ ended }) => ended()));
      clearTimeout(grace);
    },
  };
}

/**
 * Listens to a channel, and retries until the database is reachable. Then it runs the job again, because earlier
 * notifications were lost. Resolves to the function that stops listening.
 */
async function keepHearing(
  db: WorkerDeps["db"],
  channel: string,
  stopped: AbortSignal,
  pauses: readonly number[],
  heard: (payload: string) => void,
) {
  for (let attempt = 0; !stopped.aborted; attempt += 1) {
    try {
      const unlisten = await db.listen(channel, heard);
      heard("");
      return unlisten;
    } catch {
      await delay(pauseOf(pauses, attempt), undefined, { signal: stopped, ref: false }).catch(() => {});
    }
  }
}

const pauseOf = (pauses: readonly number[], failures: number) => pauses[Math.min(failures, pauses.length - 1)] ?? 0;

interface RunnerDeps extends Pick<WorkerDeps, "log"> {
  pauses: readonly number[];
  inTrace: InTrace;
}

function startJob(job: Job, stop: Stop, { log, pauses, inTrace }: RunnerDeps) {
  const state: JobState = { name: job.name, status: "waiting", runs: 0, failures: 0 };
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  /** Whether a notification came that the current run may have missed. */
  let isRequested = false;
  let preparing: Promise<void> | undefined;

  const plan = (ms: number) => {
    clearTimeout(timer);
    if (!stop.requested.aborted) timer = setTimeout(startAll, ms).unref();
  };
  const prepare = () => {
    preparing ??= (job.prepare?.() ?? Promise.resolve()).catch((error: unknown) => {
      preparing = undefined;
      throw error;
    });
    return preparing;
  };
  /** Runs until no work is requested; resolves with the last run. */
  const runAll = async () => {
    try {
      await prepare();
      let next: number | undefined;
      do {
        isRequested = false;
        next = await job.run(stop);
      } while (isRequested && !stop.requested.aborted);
      return next;
    } catch (error) {
      if (!stop.requested.aborted) log.error({ err: error, job: job.name }, "A job failed and will be tried again");
      throw error;
    }
  };
  const work = async () => {
    state.startedAt = new Date();
    try {
      const next = await inTrace(`job ${job.name}`, runAll);
      state.failures = 0;
      state.runs += 1;
      state.succeededAt = new Date();
      const interval = typeof job.interval === "number" ? job.interval : job.interval();
      plan(Math.max(Math.min(next ?? interval, interval), SHORTEST_MS));
    } catch (error) {
      if (stop.requested.aborted) return;
      plan(pauseOf(pauses, state.failures));
      state.failures += 1;
      state.error = { at: new Date(), message: error instanceof Error ? error.message : String(error) };
    }
  };
  const start = () => {
    if (stop.requested.aborted || running.size >= (job.concurrency ?? 1)) return;
    state.status = "running";
    const round: Promise<void> = work().finally(() => {
      running.delete(round);
      if (running.size === 0) state.status = state.failures > 0 ? "failing" : "waiting";
    });
    running.add(round);
  };
  function startAll() {
    for (let count = 0; count < (job.concurrency ?? 1); count += 1) start();
  }
  if (job.delay === undefined) startAll();
  else plan(job.delay);

  return {
    job,
    state,
    notify() {
      job.onNotification?.();
      isRequested = true;
      // A failed job is retried after its pause, regardless of notifications.
      if (state.failures === 0) start();
    },
    async ended() {
      clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

/** Claims and does work, item by item, until none is left or the worker stops. */
export async function workOff<Claim>(
  stop: Stop,
  claim: () => Promise<Claim | undefined>,
  work: (claim: Claim) => Promise<void>,
): Promise<void> {
  while (!stop.requested.aborted) {
    const claimed = await claim();
    if (!claimed) return;
    await work(claimed);
  }
}
