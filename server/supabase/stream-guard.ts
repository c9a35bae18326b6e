import type { ServerResponse } from "node:http";
import type { Database } from "../database/database.ts";

/** Checks whether an answer may continue; rejects if not. The database's answer is at most this old, in milliseconds. */
export type AccessCheck = (maxAgeMs: number) => Promise<unknown>;

/** Stops answers on their way when the right to them ends. */
export interface StreamGuard {
  /** Repeats `check` while the response lasts. A rejection resets the connection, which discards buffered bytes. */
  watch(response: ServerResponse, check: AccessCheck): void;
  close(): void;
}

/** How often running answers are checked, which sends no query by itself. */
const TICK_MS = 50;
/**
 * How long a permission is not checked again. With the age of the answer and a tick, everything stops within a second.
 */
const RECHECK_MS = 300;
/** The same where this process has written to the database since. */
const RECHECK_AFTER_CHANGE_MS = 150;
/** The maximum age of an answer to another request. */
const MAX_AGE_MS = 200;

interface Watched {
  check: AccessCheck;
  /** When the last answer came, or the response began. */
  answeredAt: number;
  /** How many changes this process had made when it was asked for. */
  changes: number;
  isAsking: boolean;
}

export function openStreamGuard(db: Pick<Database, "changes">): StreamGuard {
  const watched = new Map<ServerResponse, Watched>();
  let timer: NodeJS.Timeout | undefined;

  const hasChanged = ({ changes }: Watched) => changes !== db.changes();
  const isDue = (entry: Watched) =>
    !entry.isAsking &&
    performance.now() - entry.answeredAt >= (hasChanged(entry) ? RECHECK_AFTER_CHANGE_MS : RECHECK_MS);

  async function recheck(response: ServerResponse, entry: Watched) {
    const maxAge = hasChanged(entry) ? 0 : MAX_AGE_MS;
    entry.isAsking = true;
    entry.changes = db.changes();
    try {
      await entry.check(maxAge);
      entry.answeredAt = performance.now();
      entry.isAsking = false;
    } catch {
      breakOff(response);
    }
  }

  function tick() {
    for (const [response, entry] of watched) if (isDue(entry)) void recheck(response, entry);
  }

  return {
    watch(response, check) {
      if (response.closed) return;
      watched.set(response, { check, answeredAt: performance.now(), changes: db.changes(), isAsking: false });
      timer ??= setInterval(tick, TICK_MS).unref();
      response.once("close", () => {
        watched.delete(response);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
    close() {
      clearInterval(timer);
      watched.clear();
    },
  };
}

function breakOff(response: ServerResponse) {
  // The response cannot discard written bytes; destroying it alone would send them first.
  response.socket?.resetAndDestroy();
  response.destroy();
}
