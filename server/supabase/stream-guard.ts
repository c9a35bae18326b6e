import type { ServerResponse } from "node:http";
import { RetryLaterError } from "../../shared/request-error.ts";
import type { Database } from "../database/database.ts";
import { serviceFailure } from "./service-failure.ts";

/** Rejects if a response may no longer continue. The database's result may be up to `maxAgeMs` milliseconds old. */
export type AccessCheck = (maxAgeMs: number) => Promise<unknown>;

/** Stops running responses when the caller's access ends. */
export interface StreamGuard {
  /**
   * Repeats `check` while the response lasts. A rejection resets the connection, which discards buffered bytes. A check that
   * failed only for now, because the database is away or busy, is repeated: as long as nothing was sent, and otherwise
   * until the last permission is `LONGEST_MS` old.
   */
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
/** The age in ms of a permission with which bytes may still be sent while no other can be had. */
const LONGEST_MS = 800;

interface Watched {
  check: AccessCheck;
  /** The time of the last permission or of the response's start. */
  allowedAt: number;
  /** The time of the last attempt. */
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
      entry.allowedAt = performance.now();
    } catch (error) {
      const isOld = performance.now() - entry.allowedAt >= LONGEST_MS;
      if (!failedForNow(error) || (response.headersSent && isOld)) return breakOff(response);
    }
    entry.answeredAt = performance.now();
    entry.isAsking = false;
  }

  function tick() {
    for (const [response, entry] of watched) if (isDue(entry)) void recheck(response, entry);
  }

  return {
    watch(response, check) {
      if (response.closed) return;
      const now = performance.now();
      watched.set(response, { check, allowedAt: now, answeredAt: now, changes: db.changes(), isAsking: false });
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

/** Such a failure says nothing about the caller's access. */
const failedForNow = (error: unknown) => error instanceof RetryLaterError || serviceFailure(error) !== undefined;

function breakOff(response: ServerResponse) {
  // The response cannot discard buffered bytes, so the connection is reset.
  response.socket?.resetAndDestroy();
  response.destroy();
}
