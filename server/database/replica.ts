import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";

/** The maximum age of an answer of the replica, in milliseconds. */
const OLDEST_MS = 1000;
/** The interval of comparisons with the primary during reads, in milliseconds. */
const COMPARED_MS = 100;
/** Comparisons stop this long after the last read, in milliseconds. */
const UNUSED_MS = 5000;
/** The timeout for the replica before the primary is asked, in milliseconds. */
const TIMEOUT_MS = 2000;
/** The pause between attempts to connect to the replica, in milliseconds. */
const RETRY_MS = 5000;

/**
 * Sends reads that may be old to the streaming replica at `url` while it lags less than a second behind. Otherwise, and
 * if the replica cannot answer, the primary answers.
 */
export function withReplica(db: Database, url: string): Database {
  let replica: Promise<Database> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let usedAt = Number.NEGATIVE_INFINITY;
  /** The time until which the replica is known to lag less than a second behind. */
  let goodUntil = Number.NEGATIVE_INFINITY;
  /** A position of the primary that the replica had not reached yet. */
  let awaited: { lsn: string; at: number } | undefined;
  let isComparing = false;

  const open = () => {
    if (replica || performance.now() - triedAt < RETRY_MS) return replica;
    triedAt = performance.now();
    replica = openPostgres(url);
    replica.catch(() => {
      replica = undefined;
    });
    return replica;
  };

  async function compare() {
    const now = performance.now();
    const other = await open();
    if (!other) return;
    if (!awaited || now - awaited.at > OLDEST_MS) {
      const { rows } = await db.read<{ lsn: string }>("select pg_current_wal_flush_lsn()::text as lsn");
      // The time of the request: with the time of the response, a slow response would make the position look newer.
      awaited = rows[0] && { lsn: rows[0].lsn, at: now };
    }
    if (!awaited) return;
    const { rows } = await other.read<{ reached: boolean | null }>(
      "select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached",
      [awaited.lsn],
    );
    if (!rows[0]?.reached) return;
    goodUntil = awaited.at + OLDEST_MS;
    awaited = undefined;
  }

  const timer = setInterval(() => {
    if (isComparing || performance.now() - usedAt > UNUSED_MS) return;
    isComparing = true;
    compare()
      // The replica is unreachable. Later comparisons detect its return.
      .catch(() => {})
      .finally(() => {
        isComparing = false;
      });
  }, COMPARED_MS).unref();

  /** Reads from the replica if the answer may be old and the replica is usable, otherwise from the primary. */
  async function read<T>(mayBeOld: boolean | undefined, ask: (from: Database) => Promise<T>): Promise<T> {
    if (!mayBeOld) return ask(db);
    usedAt = performance.now();
    const other = usedAt < goodUntil ? await replica?.catch(() => undefined) : undefined;
    if (!other) return ask(db);
    try {
      const late = delay(TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("No answer")));
      return await Promise.race([ask(other), late]);
    } catch {
      // After any error, e.g. a conflict with replay, the primary decides.
      goodUntil = Number.NEGATIVE_INFINITY;
      return ask(db);
    }
  }

  return {
    ...db,
    read: (text, params, how) => read(how?.mayBeOld, (from) => from.read(text, params, how)),
    answer: (statement) => read(statement.mayBeOld, (from) => from.answer(statement)),
    async close() {
      clearInterval(timer);
      // Closing does not wait for an unfinished connection.
      void replica?.then((other) => other.close()).catch(() => {});
      await db.close();
    },
  };
}
