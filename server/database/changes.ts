import type { Database, Transaction } from "./database.ts";

/** Counts whatever may have changed something, once it has ended: what was known before then may no longer be true. */
export function countChanges(
  source: Transaction,
  transaction: Database["transaction"],
): Pick<Database, "query" | "exec" | "transaction" | "read" | "changes"> {
  let changes = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      changes += 1;
    }
  };
  return {
    query: (text, params) => counted(source.query(text, params)),
    exec: (text) => counted(source.exec(text)),
    transaction: (work) => counted(transaction(work)),
    read: source.query,
    changes: () => changes,
  };
}
