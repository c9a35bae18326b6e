import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "./database.ts";
import type { FairQueue, QueueKey } from "./fair-queue.ts";

/** The owner of database work, who is charged for its time. */
export interface WorkOwner extends QueueKey {
  /**
   * Called when a statement or transaction begins; returns the function to call at its end. Throws to refuse the work.
   */
  beginWork(): () => void;
}

/**
 * Queues the statements and transactions of a database in `queue`. `ownerOf` returns the owner of the current work;
 * undefined for the server's own. The pool needs at least as many connections as the queue has slots.
 */
export function shareFairly(db: Database, queue: FairQueue, ownerOf: () => WorkOwner | undefined): Database {
  const slots = new AsyncLocalStorage<{ held: boolean }>();

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    // Work inside a transaction must not wait for the slot of that transaction.
    if (slots.getStore()?.held) return work();
    const owner = ownerOf();
    const release = await queue.acquire(owner);
    const slot = { held: true };
    let endWork: (() => void) | undefined;
    try {
      endWork = owner?.beginWork();
      return await slots.run(slot, work);
    } finally {
      slot.held = false;
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
