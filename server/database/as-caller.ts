import type { Answer, CallerStatement, Database, Transaction } from "./database.ts";

export type Role = "anon" | "authenticated" | "service_role";

/** Whom a request speaks for: the claims of a verified token. Row policies read them by `auth.jwt()`. */
export interface Caller {
  role: Role;
  /** The user's id; absent for visitors and the service. */
  sub?: string;
  [claim: string]: unknown;
}

export const VISITOR: Caller = { role: "anon" };
export const SERVICE: Caller = { role: "service_role" };

/** Runs `work` in one transaction as the caller, so row policies, not our code, decide what it sees. */
export const asCaller = <T>(db: Database, caller: Caller, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    // `true` = local: both settings end with the transaction, so no role leaks to the next request.
    await tx.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
      caller.role,
      JSON.stringify(caller),
    ]);
    return work(tx);
  }, caller.role);

/**
 * Runs one statement as the caller in one round trip. The statement yields one row `(body text, page bigint, total bigint)`
 * and reads its values as `$1[1]`, `$1[2]` … from one array of text. With `readOnly` the database refuses every change, also
 * those of functions that it calls; `mayBeOld` lets a replica answer such a read.
 */
export async function queryAsCaller(
  db: Pick<Database, "answer">,
  caller: Caller,
  text: string,
  values: (string | null)[] = [],
  { readOnly = false, mayBeOld = false }: { readOnly?: boolean; mayBeOld?: boolean } = {},
): Promise<Answer> {
  const answer = await db.answer({
    ...{ role: caller.role, claims: JSON.stringify(caller) },
    ...{ text, values, readOnly, mayBeOld },
  });
  // An empty answer would be sent as a success.
  if (!answer) throw new Error("A statement for queryAsCaller yielded no row");
  return answer;
}

/** A caller's statement within a transaction; role and claims stay set until that ends. */
export async function answerInside(
  tx: Transaction,
  { role, claims, text, values, readOnly }: Omit<CallerStatement, "mayBeOld">,
): Promise<Answer | undefined> {
  const run = "select body, page, total from request.run($1, $2, $3, $4, $5)";
  const { rows } = await tx.query<Answer>(run, [role, claims, text, values, readOnly]);
  return rows[0];
}
