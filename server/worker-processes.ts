import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Samples } from "./http/metrics.ts";

/** Messages between the processes. */
export type Message = "serving" | "drain" | "measure" | { samples: Samples };

/** Milliseconds before a worker that ended is replaced: longer each time while none serves; the last value repeats. */
const PAUSES_MS = [0, 500, 2000, 10_000];

/** How long the primary waits for a worker, in milliseconds. A worker that is stopped or busy would otherwise stop it, too. */
export interface Patience {
  /** For it to serve. Longer than a slow machine takes to start several at once. */
  start: number;
  /** For its metrics. Prometheus gives a scrape up after ten seconds, and a worker waits eight for the database. */
  answer: number;
  /** For its end, after it was asked to serve its last connections. */
  drain: number;
  /** For its end, after `SIGTERM`. */
  stop: number;
}

/** The workers of a primary. */
export interface WorkerProcesses {
  /** Resolves when one more serves; rejects if it ends before, or does not serve in time. */
  fork(): Promise<void>;
  /** Replaces them one after the other; an old one ends with its last connection. */
  restart(): Promise<void>;
  /** The metrics of those that answer. One that is late is not asked again before it has answered. */
  measure(): Promise<Samples[]>;
  /** Ends them all. */
  close(): Promise<void>;
}

/** Runs workers: replaces those that end, and kills those that do not end when they should. `entry` is the file that each runs. */
export function openWorkers(entry: string, environment: Record<string, string>, patience: Patience): WorkerProcesses {
  cluster.setupPrimary({ exec: entry, args: [] });
  const all = new Set<Worker>();
  /** Workers that accept connections, each with the question for its metrics. */
  const serving = new Map<Worker, () => Promise<Samples | undefined>>();
  let isClosing = false;
  let failures = 0;

  async function fork(): Promise<void> {
    const worker = cluster.fork(environment);
    all.add(worker);
    const exit = new Promise<number>((resolve) => worker.once("exit", resolve));
    void exit.then(() => all.delete(worker));
    closeUntakenConnections(worker);
    // Sending to a worker that has just ended emits an error.
    worker.on("error", () => {});
    const served = new Promise<void>((resolve) => {
      worker.on("message", (message: Message) => message === "serving" && resolve());
    });
    const ended = exit.then((code) => {
      throw new Error(`A worker ended with ${code} before it served.`);
    });
    const started = Promise.race([served, ended]);
    if ((await within(patience.start, started)) === LATE) {
      worker.process.kill("SIGKILL");
      await exit;
      throw new Error(`A worker did not serve within ${patience.start / 1000} seconds, and was ended.`);
    }
    failures = 0;
    serving.set(worker, questionTo(worker, patience.answer));
    console.log(`Worker ${worker.id} serves, process ${worker.process.pid}`);
    void exit.then(() => {
      if (serving.delete(worker) && !isClosing) void replace();
    });
  }

  async function replace(): Promise<void> {
    while (!isClosing) {
      await delay(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]);
      failures += 1;
      if (isClosing) return;
      if (await isServed(fork())) return;
    }
  }

  let restarting = Promise.resolve();
  async function restartAll(): Promise<void> {
    for (const old of [...serving.keys()]) {
      if (isClosing) return;
      // If the new one cannot start, the old ones stay.
      await fork();
      if (!serving.delete(old)) continue;
      old.send("drain" satisfies Message);
      void killUnlessGone(old, patience.drain);
    }
  }

  return {
    fork,
    restart() {
      restarting = restarting.then(restartAll, restartAll);
      return restarting;
    },
    async measure() {
      const answers = await Promise.all([...serving.values()].map((ask) => ask()));
      return answers.filter((samples) => samples !== undefined);
    },
    async close() {
      isClosing = true;
      const ending = [...all].map((worker) => killUnlessGone(worker, patience.stop));
      for (const worker of all) worker.process.kill("SIGTERM");
      await Promise.all(ending);
    },
  };
}

const LATE = Symbol("late");

/** The result of `work`, or {@link LATE} after so many milliseconds. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const done = new AbortController();
  const isLate = (): typeof LATE => LATE;
  const late = delay(ms, undefined, { signal: done.signal, ref: false }).then(isLate, isLate);
  return Promise.race([work, late]).finally(() => done.abort());
}

/** Resolves when a worker that was asked to end has ended. One that does not is killed after so many milliseconds. */
async function killUnlessGone(worker: Worker, ms: number): Promise<void> {
  if (worker.isDead()) return;
  const exit = once(worker, "exit");
  if ((await within(ms, exit)) !== LATE) return;
  console.error(`${nameOf(worker)}, did not end in time, and was killed`);
  worker.process.kill("SIGKILL");
  await exit;
}

const nameOf = (worker: Worker) => `Worker ${worker.id}, process ${worker.process.pid}`;

/**
 * Asks a worker for its metrics; resolves to undefined if it is late or ends. While an answer is missing, no further question
 * is sent: a stopped worker would have to answer all of them later, and each scrape would wait in vain.
 */
function questionTo(worker: Worker, ms: number): () => Promise<Samples | undefined> {
  let waiting: Promise<Samples | undefined> | undefined;
  let isSilent = false;
  const heard = (message: Message) => {
    if (typeof message !== "object") return;
    waiting = undefined;
    if (isSilent) console.log(`${nameOf(worker)}, answers again`);
    isSilent = false;
  };
  async function ask(): Promise<Samples | undefined> {
    const answer = new Promise<Samples | undefined>((resolve) => {
      const done = (samples?: Samples) => {
        worker.off("message", hear).off("exit", gone);
        resolve(samples);
      };
      const hear = (message: Message) => typeof message === "object" && done(message.samples);
      const gone = () => done();
      worker.on("message", hear).once("exit", gone);
    });
    worker.send("measure" satisfies Message);
    const samples = await within(ms, answer);
    if (samples !== LATE) return samples;
    isSilent = true;
    console.error(`${nameOf(worker)}, does not answer`);
    return undefined;
  }
  worker.on("message", heard);
  return () => {
    waiting ??= ask();
    return waiting;
  };
}

/**
 * Closes the connections that a killed worker had not accepted yet, so that their clients retry. Node passes
 * connections to workers by undocumented internal messages, and never closes those that no worker confirms.
 */
function closeUntakenConnections(worker: Worker): void {
  const untaken = new Map<number, { close(): void }>();
  const { process } = worker;
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const [message, connection] = args as [{ act?: string; seq: number }, { close(): void } | undefined];
    if (connection && message.act === "newconn") untaken.set(message.seq, connection);
    return send(...args);
  };
  process.on("internalMessage" as "message", (answer: { ack?: number }) => untaken.delete(answer.ack ?? -1));
  worker.once("exit", () => {
    for (const connection of untaken.values()) connection.close();
  });
}

const isServed = (started: Promise<void>) =>
  started.then(
    () => true,
    () => false,
  );
