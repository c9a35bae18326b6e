import type { Database } from "./database.ts";

type Source = Pick<Database, "query" | "exec" | "transaction" | "answer">;

/** Counts ended statements and transactions that may have changed data. Each one makes existing caches outdated. */
export function countChanges(source: Source): Source & Pick<Database, "read" | "changes"> {
  let changes = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      changes += 1;
    }
  };
  return {
    query: (text, params, how) => counted(source.query(text, params, how)),
    exec: (text) => counted(source.exec(text)),
    transaction: (work, role) => counted(source.transaction(work, role)),
    read: source.query,
    answer: (statement) => (statement.readOnly ? source.answer(statement) : counted(source.answer(statement))),
    changes: () => changes,
  };
}
