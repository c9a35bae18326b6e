import type { Database } from "./database.ts";
import type { FairQueue, QueueKey } from "./fair-queue.ts";
import { currentMeter, inMeter, WorkMeter } from "./work-meter.ts";

/** The owner of database work, who is charged for it. */
export interface WorkOwner extends QueueKey {
  /** The slots that its work takes. Work that usually takes long takes several. */
  readonly slots: number;
  /**
   * Called when a statement or transaction begins, with the meter of its work; returns the function to call at its end.
   * Throws to refuse the work.
   */
  beginWork(meter: WorkMeter): () => void;
}

/**
 * Queues the statements and transactions of a database in `queue`. `ownerOf` returns the owner of the current work;
 * undefined for the server's own. The pool needs at least as many connections as the queue has slots.
 */
export function shareFairly(db: Database, queue: FairQueue, ownerOf: () => WorkOwner | undefined): Database {
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    // Work inside a transaction must not wait for the slot of that transaction.
    if (currentMeter()?.holdsSlot) return work();
    const owner = ownerOf();
    const release = await queue.acquire(owner, owner?.slots);
    const meter = new WorkMeter();
    let endWork: (() => void) | undefined;
    try {
      endWork = owner?.beginWork(meter);
      return await inMeter(meter, work);
    } finally {
      meter.holdsSlot = false;
      endWork?.();
      release();
    }
  };

  return {
    exclusive: db.exclusive,
    url: db.url,
    query: (text, params, how) => inTurn(() => db.query(text, params, how)),
    read: (text, params, how) => inTurn(() => db.read(text, params, how)),
    answer: (statement) => inTurn(() => db.answer(statement)),
    exec: (text) => inTurn(() => db.exec(text)),
    transaction: (work, role) => inTurn(() => db.transaction(work, role)),
    changes: () => db.changes(),
    listen: (channel, heard, lost) => db.listen(channel, heard, lost),
    pool: () => db.pool(),
    close: () => db.close(),
  };
}
