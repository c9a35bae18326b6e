import { escapeLiteral } from "pg";
import type { Caller } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import { runUndone } from "./undone.ts";

interface Relation {
  name: string;
  columns: string[];
  computed: string[];
}

interface Callable {
  name: string;
  args: string[];
}

/** Sample arguments by SQL type. */
export type Samples = Record<string, string[]>;

/** Sample arguments with these ids; `objectId` is that of a photo. */
export const samplesOf = (ids: string[], objectId: string): Samples => ({
  uuid: ids,
  "uuid[]": ids.map((id) => `{${id}}`),
  text: ["held", "hidden", "SPRING"],
  "text[]": ["{2020-01-01}", `{${objectId.slice(0, 8)}}`],
  boolean: ["true", "false"],
  date: ["1974-06-02"],
  integer: ["1"],
  bigint: ["1"],
  numeric: ["1"],
  real: ["0.5"],
  "double precision[]": ["{1}"],
  "timestamp with time zone": ["2026-01-01"],
  jsonb: ["{}", `[{"kind": "media", "id": "${objectId}"}]`],
});

/**
 * Everything that a caller can read: all rows and columns of schema `public` and of `storage.objects`, including
 * computed columns, and the results of every function of `public` for these arguments. New tables, columns and
 * functions are included, because the catalogue lists them. Realtime events are rows read in the same way.
 */
export async function allAnswers(db: Database, caller: Caller, samples: Samples): Promise<Map<string, string>> {
  const role = caller.role;
  const { rows: relations } = await db.query<Relation>(
    `select c.oid::regclass::text as name,
       array(select quote_ident(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         and has_column_privilege($1, c.oid, a.attnum, 'select')) as columns,
       array(select quote_ident(p.proname) from pg_proc p where p.pronamespace = 'public'::regnamespace and p.pronargs = 1
         and p.proargtypes[0] = c.reltype and has_function_privilege($1, p.oid, 'execute')) as computed
     from pg_class c where c.relkind in ('r', 'p', 'v', 'm')
       and (c.relnamespace = 'public'::regnamespace or c.oid = 'storage.objects'::regclass)`,
    [role],
  );
  const { rows: functions } = await db.query<Callable>(
    `select p.oid::regproc::text as name,
       array(select format_type(t, null) from unnest(p.proargtypes::oid[]) t) as args
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
       and has_function_privilege($1, p.oid, 'execute')
       and not exists (select from pg_class c where c.reltype = p.proargtypes[0] and p.pronargs = 1)`,
    [role],
  );
  const questions: [key: string, text: string][] = [];
  const ask = (key: string, rows: string) =>
    questions.push([key, `select coalesce(jsonb_agg(to_jsonb(r)), '[]')::text from ${rows} r`]);
  for (const { name, columns, computed } of relations) {
    if (columns.length === 0) continue;
    ask(name, `(select ${[...columns, ...computed.map((one) => `${one}(t) as ${one}`)]} from ${name} t)`);
  }
  for (const { name, args } of functions) {
    const missing = args.find((type) => !samples[type]);
    if (missing) throw new Error(`There is no sample of type ${missing} to call ${name} with`);
    const most = Math.max(1, ...args.map((type) => samples[type]?.length ?? 0));
    for (let n = 0; n < most; n++) {
      const values = args.map((type) => `${escapeLiteral(samples[type]?.[n % samples[type].length] ?? "")}::${type}`);
      ask(`${name}()`, `${name}(${values.join(", ")})`);
    }
  }
  const results = await runUndone(
    db,
    caller,
    questions.map(([, text]) => text),
  );
  const answers = new Map<string, string>();
  // A refusal is an answer too.
  for (const [at, { answer }] of results.entries()) {
    const key = questions[at]?.[0] ?? "";
    answers.set(key, (answers.get(key) ?? "") + answer);
  }
  return answers;
}

/** The names of the answers that contain any of these texts. */
export const answersWith = (answers: Map<string, string>, texts: readonly string[]): string[] =>
  [...answers].filter(([, answer]) => texts.some((text) => answer.includes(text))).map(([name]) => name);
