import type { Answer, CallerStatement, Database, ResponseSettings, Transaction } from "./database.ts";

/** Sets the request for the transaction, from three parameters of which `first` is the number of the first. */
export const SET_REQUEST = (first: number) =>
  ["method", "path", "headers"]
    .map((name, place) => `set_config('request.${name}', $${first + place}, true)`)
    .join(", ");
/** Reads the response that the transaction has set. Fails, and so rolls the transaction back, if it cannot be sent. */
export const READ_RESPONSE = `
  select status, headers, case when status <> '' or headers <> '' then rest.check_response(status, headers) end
  from (select current_setting('response.status', true), current_setting('response.headers', true)) s (status, headers)`;

export type Role = "anon" | "authenticated" | "service_role";

/** The claims of a request's verified token. Row policies read them by `auth.jwt()`. */
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

/** {@link answerAsCaller} with its body as a string. */
export async function queryAsCaller(...args: Parameters<typeof answerAsCaller>): Promise<Answer<string>> {
  const answer = await answerAsCaller(...args);
  const { body } = answer;
  return { ...answer, body: Buffer.isBuffer(body) ? body.toString() : body };
}

/**
 * Runs one statement as the caller in one round trip. The statement returns one row `(body text, page bigint, total
 * bigint)` and reads its values as `$1[1]`, `$1[2]` … of one text array. With `readOnly` the database rejects every
 * change, also in called functions. With `mayBeOld` a replica may answer. With `planOnce` each connection plans the
 * statement at its first use for all values; otherwise PostgreSQL plans each of the first five uses for its own values.
 */
export async function answerAsCaller(
  db: Pick<Database, "answer">,
  caller: Caller,
  text: string,
  values: (string | null)[] = [],
  {
    readOnly = false,
    mayBeOld = false,
    planOnce = false,
    request,
  }: Partial<Pick<CallerStatement, "readOnly" | "mayBeOld" | "planOnce" | "request">> = {},
): Promise<Answer> {
  const answer = await db.answer({
    role: caller.role,
    claims: JSON.stringify(caller),
    text,
    values,
    readOnly,
    mayBeOld,
    planOnce,
    ...(request && { request }),
  });
  // An empty response would look like a success.
  if (!answer) throw new Error("A statement of a caller yielded no row");
  return answer;
}

/** Runs a caller's statement within a transaction; role and claims stay set until the transaction ends. */
export async function answerInside(
  tx: Transaction,
  { role, claims, text, values, readOnly, request }: Omit<CallerStatement, "mayBeOld" | "planOnce">,
): Promise<Answer | undefined> {
  if (request) await tx.query(`select ${SET_REQUEST(1)}`, [request.method, request.path, request.headers]);
  const run = "select body, page, total from request.run($1, $2, $3, $4, $5)";
  const { rows } = await tx.query<Answer>(run, [role, claims, text, values, readOnly]);
  const [answer] = rows;
  if (!request || !answer) return answer;
  const response = (await tx.query<ResponseSettings>(READ_RESPONSE)).rows[0];
  return response ? { ...answer, response } : answer;
}
