import type { Database, Transaction } from "../../server/database/database.ts";
import type { Job } from "../../server/jobs/worker.ts";
import { cheapestOf } from "./database.ts";
import { runOnce } from "./jobs.ts";

/** The pages that a statement touches, and its time. */
export interface StatementCost {
  pages: number;
  ms: number;
}

interface Explained {
  "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number }; "Execution Time": number }];
}

/**
 * The cost of a statement, as its plan shows it. Its changes are undone. A table of few pages is read by an
 * index, too, if there is one, although reading all of it is cheaper: otherwise the table seems to grow until it is not.
 */
function costOf(tx: Transaction, text: string, values: unknown[]): Promise<StatementCost> {
  return cheapestOf(async () => {
    await tx.exec("savepoint explained; set local enable_seqscan = off");
    const { rows } = await tx.query<Explained>(`explain (analyze, buffers, format json) ${text}`, values);
    await tx.exec("rollback to savepoint explained");
    const explained = rows[0]?.["QUERY PLAN"][0];
    if (!explained) throw new Error(`No plan for ${text}`);
    const { Plan: plan, "Execution Time": ms } = explained;
    return { pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], ms };
  });
}

/** The costs of the statements of a job's run, by their texts. Each is explained before the job runs it. */
export async function costOfRun(db: Database, jobOf: (db: Database) => Job): Promise<Map<string, StatementCost>> {
  const costs = new Map<string, StatementCost>();
  const add = async (tx: Transaction, text: string, values: unknown[] = []) => {
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(text)) return;
    const { pages, ms } = await costOf(tx, text, values);
    const earlier = costs.get(text) ?? { pages: 0, ms: 0 };
    costs.set(text, { pages: earlier.pages + pages, ms: earlier.ms + ms });
  };
  const query: Database["query"] = async (text, values, how) => {
    await db.transaction((tx) => add(tx, text, values));
    return db.query(text, values, how);
  };
  const explaining = (tx: Transaction): Transaction => ({
    ...tx,
    async query(text, values) {
      await add(tx, text, values);
      return tx.query(text, values);
    },
  });
  const transaction: Database["transaction"] = (work, role) => db.transaction((tx) => work(explaining(tx)), role);
  await runOnce(jobOf({ ...db, query, read: query, transaction }));
  return costs;
}
