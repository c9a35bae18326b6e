import type { ServerResponse } from "node:http";
import type { Database } from "../database/database.ts";

/** Rejects if a response may no longer continue. The database's result may be up to `maxAgeMs` milliseconds old. */
export type AccessCheck = (maxAgeMs: number) => Promise<unknown>;

/** Stops running responses when the caller's access ends. */
export interface StreamGuard {
  /** Repeats `check` while the response lasts. A rejection resets the connection, which discards buffered bytes. */
  watch(response: ServerResponse, check: AccessCheck): void;
  close(): void;
}

/** The interval of ticks in ms. A tick sends no query by itself. */
const TICK_MS = 50;
/**
 * Time in ms after which a permission is checked again. With the age of the result and a tick, a response stops within
 * a second.
 */
const RECHECK_MS = 300;
/** The same time if this process has written to the database. */
const RECHECK_AFTER_CHANGE_MS = 150;
/** The maximum age in ms of a result that another request got. */
const MAX_AGE_MS = 200;

interface Watched {
  check: AccessCheck;
  /** The time of the last result or of the response's start. */
  answeredAt: number;
  /** The database's change count at that time. */
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
  // The response cannot discard buffered bytes, so the connection is reset.
  response.socket?.resetAndDestroy();
  response.destroy();
}
