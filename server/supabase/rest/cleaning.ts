import { answerInside, type Caller, queryAsCaller } from "../../database/as-caller.ts";
import { type Answer, type CallerStatement, type Database, isSqlError } from "../../database/database.ts";
import type { Cleaners } from "./payload.ts";
import type { Plan } from "./plan.ts";

/** How values of one domain type become clean. */
export interface DomainCleaner {
  /** Up to so many characters of one request are cleaned at once, on the thread that answers. */
  directLength: number;
  /** A clean value that takes the place of a long one while the caller's rights are checked. */
  placeholder: string;
  /** Throws a `Refusal` where the values of one request are too much to clean. Takes no more time than reading them. */
  check(values: string[]): void;
  clean(value: string): string;
  /** The same off the thread that answers. No `owner` makes another one wait for more than one of its cleanings. */
  cleanAll(values: string[], owner: string): Promise<string[]>;
}

/** By the name of a column's domain type. */
export type DomainCleaners = Record<string, DomainCleaner>;

/** What a request comes down to, and its answer where that is known already. */
interface CleanPlan {
  planned: Plan;
  answer?: Answer;
}

/**
 * Plans a request whose values are clean. Where they take long to clean, the write is tried first with a placeholder for
 * each and rolled back: a caller without the right to write gets the refusal before any cleaning.
 */
export async function planClean(
  plan: (cleaners: Cleaners) => Plan,
  domains: DomainCleaners,
  { db, caller, owner }: { db: Database; caller: Caller; owner: string },
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
  const answer = await precheck(db, caller, first);
  // It met no row, so that there is nothing to clean for.
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
/** The placeholder's own faults: it may be shorter than a rule of the table wants. */
const PLACEHOLDER_FAULT = /^(22|23514)/;

class RollbackError extends Error {
  constructor(readonly answer: Answer) {
    super();
  }
}

/** Runs a write and takes it back. Rejects where the database refuses it, for any reason but its placeholders. */
async function precheck(db: Database, caller: Caller, { statement, reply }: Plan): Promise<Answer | undefined> {
  if (!WRITES.has(reply.kind)) return undefined;
  try {
    await db.transaction(async (tx) => {
      const answer = (asked: CallerStatement) => answerInside(tx, asked);
      throw new RollbackError(await queryAsCaller({ answer }, caller, statement.text, statement.values));
    });
  } catch (error) {
    if (error instanceof RollbackError) return error.answer;
    if (!isSqlError(error) || !PLACEHOLDER_FAULT.test(error.code)) throw error;
  }
  return undefined;
}
