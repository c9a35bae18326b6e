import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";

/** How old an answer of the replica may be, in milliseconds. */
const OLDEST_MS = 1000;
/** How often the replica is compared with the primary while somebody reads, in milliseconds. */
const COMPARED_MS = 100;
/** How long after the last read nobody does, in milliseconds. */
const UNUSED_MS = 5000;
/** How long a read waits for the replica before the primary is asked, in milliseconds. */
const PATIENCE_MS = 2000;
/** Between two attempts to connect to a replica, in milliseconds. */
const RETRY_MS = 5000;

/**
 * The same database, whose reads that may be old go to the streaming replica at `url` while that has everything that was
 * committed a second ago. They go to the primary while it has not, and whenever it cannot answer.
 */
export function withReplica(db: Database, url: string): Database {
  let replica: Promise<Database> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let usedAt = Number.NEGATIVE_INFINITY;
  /** Until when all that the replica lacks is younger than a second. */
  let goodUntil = Number.NEGATIVE_INFINITY;
  /** A position of the primary that the replica was not seen to have reached. */
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
      // Asked for before the answer, so that a slow one makes nothing look younger.
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
      // Lost for now: the next comparisons tell when it is back.
      .catch(() => {})
      .finally(() => {
        isComparing = false;
      });
  }, COMPARED_MS).unref();

  /** Asks the replica for what may be old, where it can answer, and the primary for all else. */
  async function read<T>(mayBeOld: boolean | undefined, ask: (from: Database) => Promise<T>): Promise<T> {
    if (!mayBeOld) return ask(db);
    usedAt = performance.now();
    const other = usedAt < goodUntil ? await replica?.catch(() => undefined) : undefined;
    if (!other) return ask(db);
    try {
      const late = delay(PATIENCE_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("No answer")));
      return await Promise.race([ask(other), late]);
    } catch {
      // Whatever it is, as a conflict with what is being replayed: the primary's word counts.
      goodUntil = Number.NEGATIVE_INFINITY;
      return ask(db);
    }
  }

  return {
    ...db,
    read: (text, params, how) => read(how?.mayBeOld, (from) => from.read(text, params, how)),
    answer: (asked) => read(asked.mayBeOld, (from) => from.answer(asked)),
    async close() {
      clearInterval(timer);
      // A connection that is still being made is not waited for.
      void replica?.then((other) => other.close()).catch(() => {});
      await db.close();
    },
  };
}
