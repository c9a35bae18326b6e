import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";

/** The first value of a statement's first row as text, or the message of its refusal. */
export interface Undone {
  answer: string | null;
  refused: boolean;
}

/** How many statements run in one round trip. */
const AT_ONCE = 100;
/** The code of PostgreSQL for a statement that took longer than its caller may take. */
const TOO_LONG = "57014";

/** `undone.run` runs a statement with the rights of its caller and undoes it. */
const RUN = `
  create schema if not exists undone;
  grant usage on schema undone to public;
  create or replace function undone.run(statement text, out answer text, out refused boolean) language plpgsql as $function$
  begin
    refused := false;
    begin
      execute statement into answer;
      raise sqlstate 'UNDO1';
    exception
      when sqlstate 'UNDO1' then null;
      when others then
        answer := sqlerrm;
        refused := true;
    end;
  end $function$`;

/**
 * Runs statements as a caller, each without the changes of the others, and undoes them. Many take a hundredth of the
 * round trips that a savepoint for each would take.
 */
export async function runUndone(db: Database, caller: Caller, statements: string[]): Promise<Undone[]> {
  await db.exec(RUN);
  const results: Undone[] = [];
  for (let from = 0; from < statements.length; from += AT_ONCE) {
    results.push(...(await runTogether(db, caller, statements.slice(from, from + AT_ONCE))));
  }
  return results;
}

/** Runs statements in one round trip, or in several if together they take longer than one may. */
async function runTogether(db: Database, caller: Caller, statements: string[]): Promise<Undone[]> {
  const text = `select answer, refused from unnest($1::text[]) with ordinality s (statement, place), undone.run(statement)
                order by place`;
  try {
    return (await asCaller(db, caller, (tx) => tx.query<Undone>(text, [statements]))).rows;
  } catch (error) {
    const half = Math.ceil(statements.length / 2);
    if (half === statements.length || (error as { code?: string }).code !== TOO_LONG) throw error;
    const first = await runTogether(db, caller, statements.slice(0, half));
    return [...first, ...(await runTogether(db, caller, statements.slice(half)))];
  }
}
