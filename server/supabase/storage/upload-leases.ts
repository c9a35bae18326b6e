import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Lock, Locker, RequestRelease } from "@tus/server";
import type { Database } from "../../database/database.ts";

/** The lifetime of a lease in seconds. Other requests wait this long for a process that was killed. */
const LEASE_SECONDS = 10;
/** The interval in ms at which a holder renews its lease and learns of waiting requests. */
const RENEWED_MS = 1000;
/** The polling interval of a waiting request, in ms. */
const LOOKED_MS = 100;
/** The time limit for waiting for another request that writes the same upload, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** Lets one request of all machines write an upload, by a lease in the upload's row. It expires if its holder dies. */
export const uploadLeases = (db: Database): Locker => ({ newLock: (id) => new Lease(db, id) });

class Lease implements Lock {
  readonly #db: Database;
  readonly #id: string;
  readonly #holder = randomUUID();
  #renewing: NodeJS.Timeout | undefined;

  constructor(db: Database, id: string) {
    this.#db = db;
    this.#id = id;
  }

  async lock(signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
    const until = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
    while (!(await this.#take())) {
      await delay(LOOKED_MS, undefined, { signal: until }).catch(() => {});
      if (until.aborted) throw { status_code: 423, body: "Another request is writing this upload" };
    }
    this.#renewing = setInterval(() => void this.#renew(requestRelease), RENEWED_MS);
  }

  async unlock(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#db.query("update storage.uploads set lease_until = null where id = $1 and lease_holder = $2", [
      this.#id,
      this.#holder,
    ]);
  }

  /** Whether this request holds the lease; always true for a missing upload. */
  async #take(): Promise<boolean> {
    const { rows } = await this.#db.query<{ taken: boolean }>(
      `update storage.uploads set
         lease_wanted = lease_until > now(),
         lease_holder = case when lease_until > now() then lease_holder else $2 end,
         lease_until = case when lease_until > now() then lease_until else now() + make_interval(secs => $3) end
       where id = $1 returning lease_holder = $2 as taken`,
      [this.#id, this.#holder, LEASE_SECONDS],
    );
    return rows[0]?.taken ?? true;
  }

  /** Renews the lease. Releases the upload if another request waits, or if a database outage let the lease expire. */
  async #renew(requestRelease: RequestRelease): Promise<void> {
    try {
      const { rows } = await this.#db.query<{ lease_wanted: boolean }>(
        `update storage.uploads set lease_until = now() + make_interval(secs => $3)
         where id = $1 and lease_holder = $2 returning coalesce(lease_wanted, false) as lease_wanted`,
        [this.#id, this.#holder, LEASE_SECONDS],
      );
      if (!rows[0] || rows[0].lease_wanted) await requestRelease();
    } catch {
      // The next renewal decides.
    }
  }
}
