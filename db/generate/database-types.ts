import type { Database, Transaction } from "../../server/database/database.ts";
import { ARGUMENTS, COLUMN_TYPES, FILLED_BY_TRIGGERS, JSON_RESULTS, RESULT_COLUMNS } from "./catalogue-overrides.ts";

interface Column {
  name: string;
  type: string;
  /** The type of an array's elements; null for other types. */
  element: string | null;
  nullable: boolean;
  /** Whether an insert may omit the column. */
  optional: boolean;
  /** Whether the database computes the column, so that no write contains it. */
  generated: boolean;
  /** The values that a check constraint allows, if it lists them. */
  values: string[] | null;
  comment: string | null;
}

interface Relationship {
  name: string;
  columns: string[];
  one_to_one: boolean;
  target: string;
  target_columns: string[];
}

interface Table {
  name: string;
  is_view: boolean;
  columns: Column[];
  relationships: Relationship[];
  /** Functions with a row of this table as their argument. Requests read them like columns. */
  computed: { name: string; type: string; element: string | null }[];
}

interface Argument {
  name: string;
  type: string;
  element: string | null;
  mode: "in" | "out";
  optional: boolean;
  /** Whether the default is null. */
  nullable: boolean;
}

interface Routine {
  name: string;
  args: Argument[];
  returns: string;
  element: string | null;
  returns_set: boolean;
  /** The table whose rows the function returns. */
  rows_of: string | null;
}

/**
 * Returns the types of the schema `public` for `createClient<Database>` of supabase-js, in the format of the hosted
 * platform's generator. One addition: a text column with a check constraint that lists values has these as its type.
 */
export async function databaseTypes(db: Database): Promise<string> {
  return db.transaction(async (tx) => {
    const tables = await read<Table>(tx, TABLES);
    const routines = await read<Routine>(tx, ROUTINES);
    const enums = await read<{ name: string; values: string[] }>(tx, ENUMS);
    return [
      'import type { Delivery } from "./card.ts";',
      'import type { PhotoEdit } from "./photo-edit.ts";',
      'import type { Currency } from "./money.ts";',
      "",
      "export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];",
      "",
      "export type Database = {",
      '  __InternalSupabase: { PostgrestVersion: "13" };',
      "  public: {",
      ...record("Tables", tables.filter(({ is_view }) => !is_view).flatMap(tableLines)),
      ...record("Views", tables.filter(({ is_view }) => is_view).flatMap(tableLines)),
      ...record("Functions", routines.flatMap(routineLines)),
      ...record(
        "Enums",
        enums.map(({ name, values }) => `      ${name}: ${union(values)};`),
      ),
      "    CompositeTypes: Record<never, never>;",
      "  };",
      "};",
      "",
      'type Public = Database["public"];',
      "",
      "/** A row of a table, as it is read. */",
      'export type Row<Name extends keyof Public["Tables"]> = Public["Tables"][Name]["Row"];',
      "",
      "/** What a function returns. */",
      'export type Returned<Name extends keyof Public["Functions"]> = Public["Functions"][Name]["Returns"];',
      "",
    ].join("\n");
  });
}

const read = async <Item>(tx: Transaction, sql: string) =>
  (await tx.query<{ item: Item }>(`select to_jsonb(found) as item from (${sql}) found`)).rows.map(({ item }) => item);

const record = (name: string, lines: string[]) =>
  lines.length === 0 ? [`    ${name}: Record<never, never>;`] : [`    ${name}: {`, ...lines, "    };"];

function tableLines({ name, columns, computed, relationships }: Table): string[] {
  const typeIn = (column: Column) => columnType(column, COLUMN_TYPES[`${name}.${column.name}`]);
  const row = columns.flatMap((column) => [
    ...(column.comment ? [`          /** ${column.comment.replaceAll("*/", "*\\/")} */`] : []),
    `          ${column.name}: ${typeIn(column)};`,
  ]);
  // Readable like columns, but not writable. The value is null for callers who may not read the underlying rows.
  row.push(...computed.map((one) => `          ${one.name}: ${typeOf(one)} | null;`));
  const written = (optional: (column: Column) => boolean) =>
    columns.map((column) =>
      column.generated
        ? `          ${column.name}?: never;`
        : `          ${column.name}${optional(column) ? "?" : ""}: ${typeIn(column)};`,
    );
  return [
    `      ${name}: {`,
    ...block("Row", row),
    ...block(
      "Insert",
      written((column) => column.optional || FILLED_BY_TRIGGERS.includes(`${name}.${column.name}`)),
    ),
    ...block(
      "Update",
      written(() => true),
    ),
    relationships.length === 0 ? "        Relationships: [];" : "        Relationships: [",
    ...relationships.flatMap((one) => [
      "          {",
      `            foreignKeyName: "${one.name}";`,
      `            columns: ${tuple(one.columns)};`,
      `            isOneToOne: ${one.one_to_one};`,
      `            referencedRelation: "${one.target}";`,
      `            referencedColumns: ${tuple(one.target_columns)};`,
      "          },",
    ]),
    ...(relationships.length === 0 ? [] : ["        ];"]),
    "      };",
  ];
}

const block = (name: string, lines: string[]) => [`        ${name}: {`, ...lines, "        };"];

function routineLines(routine: Routine): string[] {
  const inputs = routine.args.filter(({ mode }) => mode === "in");
  const args = inputs.map(
    (arg) =>
      `${arg.name}${arg.optional ? "?" : ""}: ${ARGUMENTS[`${routine.name}.${arg.name}`] ?? typeOf(arg)}${arg.nullable ? " | null" : ""}`,
  );
  const lines = [
    `      ${routine.name}: {`,
    `        Args: ${args.length === 0 ? "never" : `{ ${args.join("; ")} }`};`,
    `        Returns: ${returnType(routine)};`,
  ];
  if (routine.rows_of) {
    lines.push(
      "        SetofOptions: {",
      '          from: "*";',
      `          to: "${routine.rows_of}";`,
      `          isOneToOne: ${!routine.returns_set};`,
      `          isSetofReturn: ${routine.returns_set};`,
      "        };",
    );
  }
  return [...lines, "      };"];
}

function returnType(routine: Routine): string {
  const columns = routine.args.filter(({ mode }) => mode === "out");
  const many = routine.returns_set ? "[]" : "";
  if (routine.rows_of) return `Database["public"]["Tables"]["${routine.rows_of}"]["Row"]${many}`;
  const json = JSON_RESULTS[routine.name];
  if (json) return json;
  if (columns.length === 0) return `${typeOf({ type: routine.returns, element: routine.element })}${many}`;
  const fields = columns.map(
    (column) => `${column.name}: ${RESULT_COLUMNS[routine.name]?.[column.name] ?? typeOf(column)}`,
  );
  return `{ ${fields.join("; ")} }${many}`;
}

function columnType(column: Column, override: string | undefined): string {
  const type = override ?? (column.values ? union(column.values) : typeOf(column));
  return column.nullable ? `${type} | null` : type;
}

const union = (values: string[]) => values.map((value) => JSON.stringify(value)).join(" | ");
const tuple = (names: string[]) => `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;

/** Returns the JSON type of a value in requests and responses. */
const typeOf = ({ type, element }: { type: string; element: string | null }) =>
  element ? `${scalar(element)}[]` : scalar(type);

function scalar(type: string): string {
  if (/^(int2|int4|int8|float4|float8|numeric)$/.test(type)) return "number";
  if (type === "bool") return "boolean";
  if (type === "json" || type === "jsonb") return "Json";
  if (type === "void") return "undefined";
  return "string";
}

/** The base type of a domain, or the type itself. `base` is the alias of the domain's base type in the statement. */
const base = (type: string) =>
  `coalesce((select nullif(d.typbasetype, 0) from pg_type d where d.oid = ${type}), ${type})`;
const nameOf = (type: string) => `(select t.typname from pg_type t where t.oid = ${base(type)})`;
const elementOf = (type: string) =>
  `(select ${nameOf("arrays.typelem")} from pg_type arrays where arrays.oid = ${base(type)} and arrays.typcategory = 'A')`;

/** The values in a check such as `kind = any (array['a', 'b'])` on this one column, which may also be null. */
const VALUES = `(
  select array(select v[1] from regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') with ordinality m (v, n) order by n)
  from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]
    and pg_get_constraintdef(k.oid) ~ ('^CHECK \\(\\(' || a.attname || ' = ANY \\(ARRAY\\[(''[^'']*''::text(, )?)+\\]\\)\\)\\)$')
  order by k.conname limit 1)`;

const TABLES = `
  select c.relname as name, c.relkind = 'v' as is_view,
    (select json_agg(json_build_object('name', a.attname, 'type', ${nameOf("a.atttypid")}, 'element', ${elementOf("a.atttypid")},
        'nullable', not a.attnotnull, 'optional', not a.attnotnull or a.atthasdef or a.attidentity <> '',
        'generated', a.attgenerated <> '' or a.attidentity = 'a', 'values', ${VALUES},
        'comment', col_description(c.oid, a.attnum)) order by a.attname collate "C")
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(json_build_object('name', k.conname,
        'columns', (select json_agg(a.attname order by n) from unnest(k.conkey) with ordinality u (num, n)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num),
        'one_to_one', exists (select from pg_index i where i.indrelid = k.conrelid and i.indisunique and i.indpred is null
          and (i.indkey::int2[])[0:i.indnkeyatts - 1] <@ k.conkey),
        'target', r.relname,
        'target_columns', (select json_agg(a.attname order by n) from unnest(k.confkey) with ordinality u (num, n)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num)) order by k.conname collate "C"), '[]')
      from pg_constraint k join pg_class r on r.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and r.relnamespace = 'public'::regnamespace) as relationships,
    (select coalesce(json_agg(json_build_object('name', p.proname, 'type', ${nameOf("p.prorettype")}, 'element', ${elementOf("p.prorettype")})
        order by p.proname collate "C"), '[]')
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.pronargs = 1 and p.proargtypes[0] = c.reltype
        and not p.proretset) as computed
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by c.relname collate "C"`;

const ROUTINES = `
  select p.proname as name, p.proretset as returns_set, ${nameOf("p.prorettype")} as returns, ${elementOf("p.prorettype")} as element,
    (select r.relname from pg_type t join pg_class r on r.oid = t.typrelid
      where t.oid = p.prorettype and r.relnamespace = 'public'::regnamespace and r.relkind in ('r', 'p', 'v')) as rows_of,
    (select coalesce(json_agg(json_build_object('name', coalesce(p.proargnames[g.n], ''), 'type', ${nameOf("g.type")}, 'element', ${elementOf("g.type")},
        'mode', case when coalesce(p.proargmodes[g.n], 'i') in ('i', 'b', 'v') then 'in' else 'out' end,
        'optional', g.n > p.pronargs - p.pronargdefaults and g.n <= p.pronargs,
        'nullable', coalesce(pg_get_function_arg_default(p.oid, g.n::int) ~ '^NULL', false)) order by g.n), '[]')
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality g (type, n)) as args
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    -- Functions of a row are columns of its table.
    and not exists (select from pg_class c where c.reltype = p.proargtypes[0] and c.relnamespace = 'public'::regnamespace)
  order by p.proname collate "C"`;

const ENUMS = `
  select t.typname as name, (select array_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid) as values
  from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'e' order by t.typname collate "C"`;
