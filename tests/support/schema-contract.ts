import type { Transaction } from "../../server/database/database.ts";

/** What a running server relies on, as lines of text. */
export interface SchemaContract {
  /** What it may use: tables, columns with their types, functions by number of arguments, and grants. */
  offers: string[];
  /** What the database refuses: rows without a required value, and rows that violate a constraint. */
  demands: Demand[];
  /** Every `table.column`. */
  columns: ReadonlySet<string>;
}

interface Demand {
  table: string;
  /** The columns concerned; none for whole rows. */
  columns: string[];
  line: string;
}

const OURS = "n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'migrations')";
const ROLES = "unnest(array['anon', 'authenticated', 'service_role']) as role(name)";

/** Reads the contract from a database's catalogue. */
export async function schemaContract(db: Transaction): Promise<SchemaContract> {
  const offers = await db.query<{ line: string }>(`
    select format('%I.%I.%I is %s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod)) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'v', 'p', 'm') and ${OURS}
    union all
    select format('%s may %s %I.%I.%I', role.name, verb, n.nspname, c.relname, a.attname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped,
      ${ROLES}, unnest(array['select', 'insert', 'update']) as verb
    where c.relkind in ('r', 'v', 'p', 'm') and ${OURS} and has_column_privilege(role.name, c.oid, a.attnum, verb)
    union all
    select format('%s may delete %I.%I', role.name, n.nspname, c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace, ${ROLES}
    where c.relkind in ('r', 'v', 'p') and ${OURS} and has_table_privilege(role.name, c.oid, 'delete')
    union all
    select format('%s%I.%I(%s)', caller, n.nspname, p.proname, (
      select string_agg(concat_ws(' ', nullif(p.proargnames[i], ''), format_type(p.proargtypes[i - 1], null)), ', ' order by i)
      from generate_series(1, given) i))
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
      generate_series((p.pronargs - p.pronargdefaults)::int, p.pronargs::int) as given,
      lateral (select 'returns ' || pg_get_function_result(p.oid) || ': ' as caller
        union all select role.name || ' may call ' from ${ROLES} where has_function_privilege(role.name, p.oid, 'execute')) as callers
    where ${OURS} and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    order by 1`);
  const demands = await db.query<Demand>(`
    select c.oid::regclass::text as table, array[a.attname::text] as columns, format('%I must be given', a.attname) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and ${OURS} and a.attnotnull and not a.atthasdef and a.attidentity = ''
    union all
    select k.conrelid::regclass::text, array(select a.attname::text from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey)), pg_get_constraintdef(k.oid)
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and k.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select i.indrelid::regclass::text, array(select a.attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)), regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX \\S+ ON ', ' ON ')
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and i.indisunique and not i.indisprimary
    order by 1, 3`);
  const columns = await db.query<{ name: string }>(`
    select c.oid::regclass || '.' || a.attname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where c.relkind in ('r', 'p') and ${OURS}`);
  return {
    offers: offers.rows.map(({ line }) => line),
    demands: demands.rows,
    columns: new Set(columns.rows.map(({ name }) => name)),
  };
}

/** What a server for `before` would miss in `after`, or be refused there. */
export function breaches(before: SchemaContract, after: SchemaContract): string[] {
  const offered = new Set(after.offers);
  const demands = new Set(before.demands.map(({ table, line }) => `${table}: ${line}`));
  const tables = new Set([...before.columns].map((name) => name.slice(0, name.lastIndexOf("."))));
  // A server leaves unknown columns at their defaults, which a constraint on one column alone accepts.
  const concerns = ({ table, columns, line }: Demand) =>
    tables.has(table) &&
    (line.endsWith("must be given") || columns.some((name) => before.columns.has(`${table}.${name}`)));
  return [
    ...before.offers.filter((line) => !offered.has(line)),
    ...after.demands
      .filter((demand) => concerns(demand) && !demands.has(`${demand.table}: ${demand.line}`))
      .map(({ table, line }) => `new in ${table}: ${line}`),
  ];
}
