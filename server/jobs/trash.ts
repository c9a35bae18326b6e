import type { Database } from "../database/database.ts";

const PERIOD_MS = 3_600_000;
/** Items in one transaction. */
const BATCH = 100;

interface TrashDeps {
  db: Database;
  log: { error(error: unknown, message?: string): void };
}

/**
 * Deletes for good what has been in the trash for 30 days, now and every hour; resolves to a function that ends it. A
 * process claims the rows of a batch by locking them, so several may work at once, and a killed one leaves whole items.
 */
export async function startPurgingTrash({ db, log }: TrashDeps): Promise<() => Promise<void>> {
  let stopped = false;
  let running = Promise.resolve();
  const work = () => {
    running = running
      .then(async () => {
        while (!stopped && (await purgeBatch(db)) === BATCH);
      })
      .catch((error: unknown) => log.error({ err: error }, "The trash could not be purged"));
  };
  work();
  const timer = setInterval(work, PERIOD_MS).unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}

/** Deletes one batch for good; resolves to the number of items. */
async function purgeBatch(db: Database): Promise<number> {
  const { rows } = await db.query<{ many: number }>("select private.purge_trash($1) as many", [BATCH]);
  return rows[0]?.many ?? 0;
}
