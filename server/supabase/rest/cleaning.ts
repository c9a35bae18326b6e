import { answerInside, type Caller, queryAsCaller } from "../../database/as-caller.ts";
import {
  type Answer,
  type CallerStatement,
  type Database,
  isSqlError,
  type RequestSettings,
} from "../../database/database.ts";
import type { Cleaners } from "./payload.ts";
import type { Plan } from "./plan.ts";

/** The cleaner of values of one domain type. */
export interface DomainCleaner {
  /** The number of characters of a request up to which values are cleaned on the main thread. */
  directLength: number;
  /** A clean value that replaces a long one while the caller's rights are checked. */
  placeholder: string;
  /** Throws a `Refusal` if a request has too many or too large values to clean. It is as fast as reading the values. */
  check(values: string[]): void;
  clean(value: string): string;
  /** Runs `clean` on another thread. Another owner waits for at most one of this owner's cleanings. */
  cleanAll(values: string[], owner: string): Promise<string[]>;
}

/** Cleaners by the name of a column's domain type. */
export type DomainCleaners = Record<string, DomainCleaner>;

/** A planned request, with its response if that is already known. */
interface CleanPlan {
  planned: Plan;
  answer?: Answer;
}

/**
 * Plans a request with clean values. If they take long to clean, first runs the write with a placeholder for each long
 * value and rolls it back, so that a caller without the right to write gets the refusal before any cleaning.
 */
export async function planClean(
  plan: (cleaners: Cleaners) => Plan,
  domains: DomainCleaners,
  { db, caller, owner, request }: { db: Database; caller: Caller; owner: string; request?: RequestSettings },
): Promise<CleanPlan> {
  const long = new Map<string, Set<string>>();
  let length = 0;
  const first = plan(
    mapValues(domains, (cleaner, domain) => (value) => {
      length += value.length;
      if (length <= cleaner.directLength) return cleaner.clean(value);
      long.set(domain, (long.get(domain) ?? new Set()).add(value));
      return cleaner.placeholder;
    }),
  );
  if (long.size === 0) return { planned: first };

  for (const [domain, values] of long) domains[domain]?.check([...values]);
  const answer = await precheck(db, caller, first, request);
  // No row matches, so there is nothing to clean.
  if (answer?.page === 0 && first.reply.kind === "change") return { planned: first, answer };

  const cleaned = new Map<string, Map<string, string>>();
  for (const [domain, values] of long) {
    const list = [...values];
    const results = (await domains[domain]?.cleanAll(list, owner)) ?? [];
    cleaned.set(domain, new Map(list.map((value, index) => [value, results[index] ?? ""])));
  }
  return {
    planned: plan(
      mapValues(domains, (cleaner, domain) => (value) => cleaned.get(domain)?.get(value) ?? cleaner.clean(value)),
    ),
  };
}

const mapValues = (
  domains: DomainCleaners,
  make: (cleaner: DomainCleaner, domain: string) => Cleaners[string],
): Cleaners => Object.fromEntries(Object.entries(domains).map(([domain, cleaner]) => [domain, make(cleaner, domain)]));

const WRITES = new Set<Plan["reply"]["kind"]>(["insert", "change", "put"]);
/** Errors caused by the placeholder, e.g. one shorter than the table allows. */
const PLACEHOLDER_FAULT = /^(22|23514)/;

class RollbackError extends Error {
  constructor(readonly answer: Answer) {
    super();
  }
}

/** Runs a write and rolls it back. Rejects if the database refuses it for another reason than its placeholders. */
async function precheck(
  db: Database,
  caller: Caller,
  { statement, reply }: Plan,
  request: RequestSettings | undefined,
): Promise<Answer | undefined> {
  if (!WRITES.has(reply.kind)) return undefined;
  try {
    await db.transaction(async (tx) => {
      const answer = (statement: CallerStatement) => answerInside(tx, statement);
      const how = request ? { request } : {};
      throw new RollbackError(await queryAsCaller({ answer }, caller, statement.text, statement.values, how));
    });
  } catch (error) {
    if (error instanceof RollbackError) return error.answer;
    if (!isSqlError(error) || !PLACEHOLDER_FAULT.test(error.code)) throw error;
  }
  return undefined;
}
