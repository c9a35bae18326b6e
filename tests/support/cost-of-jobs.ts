import type { Database, Transaction } from "../../server/database/database.ts";
import type { Job } from "../../server/jobs/worker.ts";
import { cheapestOf } from "./database.ts";
import { runOnce } from "./jobs.ts";

interface Explained {
  "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }];
}

/**
 * The pages that a statement touches, as its plan shows them. Its changes are undone. A table of few pages is read by an
 * index, too, if there is one, although reading all of it is cheaper: otherwise the table seems to grow until it is not.
 */
async function pagesOf(tx: Transaction, text: string, values: unknown[]): Promise<number> {
  const { pages } = await cheapestOf(async () => {
    await tx.exec("savepoint explained; set local enable_seqscan = off");
    const { rows } = await tx.query<Explained>(`explain (analyze, buffers, format json) ${text}`, values);
    await tx.exec("rollback to savepoint explained");
    const plan = rows[0]?.["QUERY PLAN"][0].Plan;
    if (!plan) throw new Error(`No plan for ${text}`);
    return { pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] };
  });
  return pages;
}

/** The pages that the statements of a job's run touch, by their texts. Each is explained before the job runs it. */
export async function costOfRun(db: Database, jobOf: (db: Database) => Job): Promise<Map<string, number>> {
  const costs = new Map<string, number>();
  const add = async (tx: Transaction, text: string, values: unknown[] = []) => {
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(text)) return;
    costs.set(text, (costs.get(text) ?? 0) + (await pagesOf(tx, text, values)));
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
