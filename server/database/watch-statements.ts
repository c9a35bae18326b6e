import type { Database, Transaction } from "./database.ts";

/** Runs database work and observes it. */
export interface StatementWatcher {
  statement<T>(text: string, run: () => Promise<T>): Promise<T>;
  transaction<T>(run: () => Promise<T>): Promise<T>;
}

/** The same database; `watcher` runs its statements and transactions. */
export function watchStatements(db: Database, watcher: StatementWatcher): Database {
  const watchTransaction = (tx: Transaction): Transaction => ({
    query: (text, params) => watcher.statement(text, () => tx.query(text, params)),
    exec: (text) => watcher.statement(text, () => tx.exec(text)),
  });
  return {
    ...db,
    query: (text, params, how) => watcher.statement(text, () => db.query(text, params, how)),
    read: (text, params, how) => watcher.statement(text, () => db.read(text, params, how)),
    answer: (statement) => watcher.statement(statement.text, () => db.answer(statement)),
    exec: (text) => watcher.statement(text, () => db.exec(text)),
    transaction: (work, role) => watcher.transaction(() => db.transaction((tx) => work(watchTransaction(tx)), role)),
  };
}
