import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../database/database.ts";

/** Work that outlives requests. It says what is done; the worker decides when. */
export interface Job {
  /** What logs and `/readyz` call it. */
  name: string;
  /** The notification of the database that there is work. */
  channel?: string;
  /** Milliseconds after a run that went well until the clock starts the next. */
  interval: number | (() => number);
  /** Milliseconds before the first run. */
  delay?: number;
  /** How many runs there may be at once. */
  concurrency?: number;
  /** Done once, before the first run. */
  prepare?(): Promise<void>;
  /** Called with every notification, also while the job runs. */
  onNotification?(): void;
  /**
   * Does all that is due. Several processes run the same jobs: a run claims its rows, or does nothing the second time.
   * Resolves to the milliseconds until more is due, where it knows that.
   */
  run(stop: Stop): Promise<number | undefined>;
}

/** How a run hears that the worker stops. */
export interface Stop {
  /** Aborted when the worker stops: what is begun may be finished, and nothing new is begun. */
  requested: AbortSignal;
  /** Aborted a few seconds later: what still runs is broken off. */
  overdue: AbortSignal;
}

/** What a job did last and does now. */
export interface JobState {
  name: string;
  status: "waiting" | "running" | "failing";
  startedAt?: Date;
  /** When it last ended well. */
  succeededAt?: Date;
  /** Runs that ended well since the start. */
  runs: number;
  /** Runs that failed since then. */
  failures: number;
  /** Of the last one that failed; it may quote what people entered, and is for administrators. */
  error?: { at: Date; message: string };
}

export interface Worker {
  states(): JobState[];
  /** Begins nothing new, and resolves when what runs has ended. */
  stop(): Promise<void>;
}

interface WorkerDeps {
  db: Pick<Database, "listen">;
  log: { error(fields: object, message: string): void };
  /** Milliseconds before a job that failed is tried again; the last holds from then on. */
  pauses?: readonly number[];
  /** Runs a job in a trace of its own, where there are traces. */
  inTrace?: InTrace | undefined;
}

/** Runs work in a trace of this name. */
type InTrace = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const PAUSES_MS = [1000, 5000, 30_000, 120_000, 600_000];
/** The shortest pause between two runs that the clock starts. */
const SHORTEST_MS = 100;
/** How long runs may take to end by themselves when the worker stops. */
const GRACE_MS = 5000;

/** Runs jobs at once, whenever their channel is notified, and by the clock; each one whatever becomes of the others. */
export function startWorker(jobs: Job[], deps: WorkerDeps): Worker {
  const { db, log, pauses = PAUSES_MS, inTrace = (_name, work) => work() } = deps;
  const [requested, overdue] = [new AbortController(), new AbortController()];
  const stop: Stop = { requested: requested.signal, overdue: overdue.signal };
  const runners = jobs.map((job) => startJob(job, stop, { log, pauses, inTrace }));
  const listening = [...new Set(jobs.flatMap(({ channel }) => channel ?? []))].map((channel) => {
    const woken = runners.filter(({ job }) => job.channel === channel);
    return keepHearing(db, channel, stop.requested, pauses, () => {
      for (const { notify } of woken) notify();
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
 * Listens, however often it takes until the database can be reached; resolves to what ends it. What came before, after
 * the first runs had looked, was notified to nobody: it is found by looking once more.
 */
async function keepHearing(
  db: WorkerDeps["db"],
  channel: string,
  stopped: AbortSignal,
  pauses: readonly number[],
  heard: () => void,
) {
  for (let attempt = 0; !stopped.aborted; attempt += 1) {
    try {
      const unlisten = await db.listen(channel, heard);
      heard();
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
  /** Whether something was notified that the present run may have looked past. */
  let wanted = false;
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
  /** Works until nothing is wanted any more; resolves as the last run. */
  const runAll = async () => {
    try {
      await prepare();
      let next: number | undefined;
      do {
        wanted = false;
        next = await job.run(stop);
      } while (wanted && !stop.requested.aborted);
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
      wanted = true;
      // One that failed is tried again after its pause, however much it is notified.
      if (state.failures === 0) start();
    },
    async ended() {
      clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

/** Claims one piece of work after the other and does it, until none is left or the worker stops. */
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
