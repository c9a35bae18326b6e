import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "./database.ts";
import type { FairQueue, QueueKey } from "./fair-queue.ts";

/** Who database work is done for, and who counts the time that it takes. */
export interface WorkOwner extends QueueKey {
  /** Called when a statement or a transaction begins; returns what is called when it has ended. May refuse by throwing. */
  beginWork(): () => void;
}

/**
 * The same database, whose statements and transactions wait for their turn in `queue`. `ownerOf` names the owner of the
 * work that begins now, or nobody for the server's own. The pool behind needs at least as many connections as the queue
 * is wide.
 */
export function shareFairly(db: Database, queue: FairQueue, ownerOf: () => WorkOwner | undefined): Database {
  const slots = new AsyncLocalStorage<{ held: boolean }>();

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    // Work inside a transaction must not wait for the slot that the transaction itself holds.
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
    answer: (asked) => inTurn(() => db.answer(asked)),
    exec: (text) => inTurn(() => db.exec(text)),
    transaction: (work, role) => inTurn(() => db.transaction(work, role)),
    changes: () => db.changes(),
    listen: (channel, heard, lost) => db.listen(channel, heard, lost),
    pool: () => db.pool(),
    close: () => db.close(),
  };
}
