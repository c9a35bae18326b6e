import { dictionary } from "@zxcvbn-ts/language-common";
import { Piscina } from "piscina";
import { SHORTEST_PASSWORD } from "../../../shared/credentials.ts";
import { RequestError, RetryLaterError } from "../../../shared/request-error.ts";
import type { PasswordCost, PasswordJob } from "./password-worker.ts";

export interface Passwords {
  /** Hashes a password. Refuses one that is too short or very common. */
  hash(password: string): Promise<string>;
  /** Resolves to whether the password is right. Takes the same time without a hash to compare with. */
  matches(password: string, hash: string | null | undefined): Promise<boolean>;
}

/** Number of parallel hashes. About a hundred queued ones take three seconds. */
const AT_ONCE = 2;
const WAITING = 100;
/** Nice increment: a third of the normal share of a busy processor, so that sign-ins delay no other requests. */
const NICE = 5;
/** Milliseconds after which an idle thread ends. */
const IDLE_MS = 60_000;

type Threads = Piscina<PasswordJob, string | boolean>;
/** The worker pools of this process, by mebibytes per hash. A pool starts with its first password. */
const threads = new Map<number, Threads>();

function threadsFor(mebibytes: number): Threads {
  const pool = threads.get(mebibytes);
  if (pool) return pool;
  const isSource = import.meta.url.endsWith(".ts");
  const started: Threads = new Piscina({
    filename: new URL(`./password-worker.${isSource ? "ts" : "js"}`, import.meta.url).href,
    execArgv: isSource ? ["--import", "tsx"] : [],
    workerData: { mebibytes } satisfies PasswordCost,
    minThreads: 0,
    maxThreads: AT_ONCE,
    idleTimeout: IDLE_MS,
    niceIncrement: NICE,
  });
  threads.set(mebibytes, started);
  return started;
}

/** Hashes and verifies passwords on low-priority threads. `mebibytes` is the memory of one hash. */
export function openPasswords(mebibytes: number): Passwords {
  /** Queues one job. Refuses it if the queue is full, so that many sign-ins do not exhaust threads and memory. */
  const run = async (job: PasswordJob): Promise<string | boolean> => {
    const pool = threadsFor(mebibytes);
    if (pool.queueSize >= WAITING) {
      // The place of the first one that ends is free. Until now each took this long.
      throw new RetryLaterError("over_request_rate_limit", (pool.histogram.runTime.average || 0) / 1000);
    }
    return pool.run(job);
  };

  return {
    async hash(password) {
      if ([...password].length < SHORTEST_PASSWORD) {
        throw new RequestError("weak_password", {
          message: `Password must be at least ${SHORTEST_PASSWORD} characters`,
          details: {
            weak_password: { reasons: ["length"] },
          },
        });
      }
      if (isCommon(password)) {
        throw new RequestError("weak_password", { details: { weak_password: { reasons: ["pwned"] } } });
      }
      return String(await run({ password }));
    },
    matches: async (password, hash) => (await run({ password, hash: hash ?? null })) === true,
  };
}

/** Common passwords in lower case, without those that are refused for their length. */
const common = new Set(dictionary["passwords-common"].filter((password) => password.length >= SHORTEST_PASSWORD));

/** Whether a password is one of the tens of thousands of most common ones, ignoring case. */
const isCommon = (password: string): boolean => common.has(password.toLowerCase());
