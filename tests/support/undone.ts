import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";

/** The first value of a statement's first row as text, or the message of its refusal. */
export interface Undone {
  answer: string | null;
  refused: boolean;
}

/** How many statements run in one round trip: a caller's statement has a time limit. */
const AT_ONCE = 100;

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
    const text = `select answer, refused from unnest($1::text[]) with ordinality s (statement, place), undone.run(statement)
                  order by place`;
    const some = statements.slice(from, from + AT_ONCE);
    results.push(...(await asCaller(db, caller, (tx) => tx.query<Undone>(text, [some]))).rows);
  }
  return results;
}
