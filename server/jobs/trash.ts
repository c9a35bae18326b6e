import type { Database } from "../database/database.ts";
import type { Job } from "./worker.ts";

/** Items in one transaction. */
const BATCH = 100;

/**
 * Deletes for good what has been in the trash for 30 days. A process claims the rows of a batch by locking them, so several
 * may work at once, and a killed one leaves whole items.
 */
export const purgeTrashJob = ({ db }: { db: Database }): Job => ({
  name: "trash",
  interval: 3_600_000,
  async run({ requested }) {
    while (!requested.aborted && (await purgeBatch(db)) === BATCH);
    return undefined;
  },
});

/** Deletes one batch for good; resolves to the number of items. */
async function purgeBatch(db: Database): Promise<number> {
  const { rows } = await db.query<{ many: number }>("select private.purge_trash($1) as many", [BATCH]);
  return rows[0]?.many ?? 0;
}
