import type { Database } from "../../database/database.ts";
import { openSchemaCache } from "../schema-cache.ts";

/**
 * Reads schema `public` as one JSON text. Type names are qualified and quoted, e.g. `pg_catalog."int4"`, so that no
 * search path and no keyword changes the meaning of a cast.
 */
const CATALOGUE = `
with recursive bases as (
  select oid, oid as base from pg_type where typtype <> 'd'
  union all
  select d.oid, b.base from pg_type d join bases b on b.oid = d.typbasetype where d.typtype = 'd'
), named as (
  select t.oid, format('%I.%I', n.nspname, t.typname) as name from pg_type t join pg_namespace n on n.oid = t.typnamespace
), types as (
  select b.oid, json_build_object(
    'name', own.name, 'base', base.name, 'array', of.name, 'kind', t.typname,
    'title', format_type(b.oid, null),
    'row', (select relname from pg_class r where r.oid = t.typrelid and r.relnamespace = 'public'::regnamespace),
    'domain', case when b.oid <> b.base then (select typname from pg_type d where d.oid = b.oid) end
  ) as type
  from bases b join named own on own.oid = b.oid join named base on base.oid = b.base
  join pg_type t on t.oid = b.base left join named of on of.oid = t.typarray
), relations as (
  select oid, relname, reltype, relkind in ('v', 'm') as view from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
), keys as (
  select k.conrelid, k.confrelid, k.contype, k.conname,
    (select json_agg(a.attname order by c.place) from unnest(k.conkey) with ordinality c (num, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.num) as columns,
    (select json_agg(a.attname order by c.place) from unnest(k.confkey) with ordinality c (num, place)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.num) as referenced
  from pg_constraint k
  where k.contype in ('p', 'u', 'f') and k.conrelid in (select oid from relations) and k.conparentid = 0
)
select json_build_object(
  'tables', (select coalesce(json_agg(json_build_object(
    'name', r.relname, 'isView', r.view,
    'deniedTo', (select coalesce(json_agg(o.rolname), '[]') from pg_roles o where o.rolname in ('anon', 'authenticated')
      and not has_any_column_privilege(o.oid, r.oid, 'select')),
    'columns', (select coalesce(json_agg(json_build_object(
        'name', a.attname, 'type', t.type,
        'default', case
          when a.attidentity <> '' then
            format('nextval(%L)', pg_get_serial_sequence(format('%I.%I', 'public', r.relname), a.attname))
          when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
        'hiddenFrom', (select coalesce(json_agg(o.rolname), '[]') from pg_roles o where o.rolname in ('anon', 'authenticated')
          and has_any_column_privilege(o.oid, r.oid, 'select') and not has_column_privilege(o.oid, r.oid, a.attnum, 'select'))
      ) order by a.attnum), '[]')
      from pg_attribute a join types t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped),
    'computed', (select coalesce(json_agg(json_build_object(
        'name', p.proname, 'type', t.type, 'default', null,
        'hiddenFrom', (select coalesce(json_agg(o.rolname), '[]') from pg_roles o where o.rolname in ('anon', 'authenticated')
          and not has_function_privilege(o.oid, p.oid, 'execute'))
      ) order by p.oid), '[]')
      from pg_proc p join types t on t.oid = p.prorettype
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not p.proretset and p.pronargs = 1
        and p.proargtypes[0] = r.reltype),
    'primary', (select k.columns from keys k where k.conrelid = r.oid and k.contype = 'p'),
    -- Row triggers (1) before (2) a delete (8).
    'mayKeepDeleted', exists (select from pg_trigger t where t.tgrelid = r.oid and t.tgtype & 11 = 11 and not t.tgisinternal),
    'unique', (select coalesce(json_agg(k.columns), '[]') from keys k where k.conrelid = r.oid and k.contype in ('p', 'u'))
  )), '[]') from relations r),
  'foreignKeys', (select coalesce(json_agg(json_build_object(
      'name', k.conname, 'table', r.relname, 'columns', k.columns, 'target', f.relname, 'referenced', k.referenced
    ) order by k.conname), '[]')
    from keys k join relations r on r.oid = k.conrelid join relations f on f.oid = k.confrelid where k.contype = 'f'),
  'functions', (select coalesce(json_agg(json_build_object(
      'name', p.proname, 'returnsSet', p.proretset,
      'returns', case when t.typtype = 'p' and t.typname = 'void' then 'void'
        when t.typtype = 'c' or t.typname = 'record' then 'row' else 'value' end,
      'table', (select r.relname from relations r where r.reltype = p.prorettype),
      'type', (select types.type from types where types.oid = p.prorettype),
      'columns', (select json_agg(json_build_object('name', a.attname, 'type', types.type, 'default', null) order by a.attnum)
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join types on types.oid = a.atttypid where c.reltype = p.prorettype and c.relkind = 'c'),
      'args', (select coalesce(json_agg(json_build_object(
          'name', coalesce(p.proargnames[g.place], ''), 'type', types.type, 'mode', coalesce(p.proargmodes[g.place], 'i')
        ) order by g.place), '[]')
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality g (type, place)
        join types on types.oid = g.type),
      'defaults', p.pronargdefaults
    ) order by p.oid), '[]')
    from pg_proc p join pg_type t on t.oid = p.prorettype
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and t.typname not in ('trigger', 'event_trigger'))
)::text as catalogue`;

/** A type; `name`, `base` and `array` can be used in SQL, qualified and quoted. */
export interface Type {
  name: string;
  /** A domain's base type; otherwise the same as `name`. */
  base: string;
  /** The array of `base`; null if there is none. */
  array: string | null;
  /** The bare name of `base`, e.g. `jsonb`. */
  kind: string;
  /** The type as SQL names it, e.g. `integer`. */
  title?: string;
  /** The table of schema `public` whose rows have this type, if there is one. */
  row?: string | null;
  /** The bare name of the domain, if the type is one. */
  domain: string | null;
}

const LONG_KINDS = new Set([
  "text",
  "varchar",
  "bpchar",
  "citext",
  "json",
  "jsonb",
  "xml",
  "bytea",
  "tsvector",
  "tsquery",
]);

/** Whether all sensible values of a type are short, e.g. of a uuid, a date or a number. */
export const isShortType = ({ kind }: Type): boolean => !LONG_KINDS.has(kind) && !kind.startsWith("_");

export interface Column {
  name: string;
  type: Type;
  /** The default's SQL; null if there is none. */
  default: string | null;
  /**
   * The clients' roles that may select other columns of the table, but not this one. Of a computed column, those that
   * may not execute its function.
   */
  hiddenFrom?: string[];
}

/** A table, a view, or the rows of a function. */
export interface Table {
  name: string;
  columns: Map<string, Column>;
  /** Computed columns: functions of one row, selected only by name, not by `*`. */
  computed: Map<string, Column>;
  primary: string[];
  /** The clients' roles that may select no column. */
  deniedTo?: string[];
  isView?: boolean;
  /** Whether a trigger may hide a deleted row from its caller instead of deleting it, as a trash does. */
  mayKeepDeleted?: boolean;
}

/** The column of a value that a function returns. */
export const SCALAR = "pgrst_scalar";

/** A foreign key: `columns` of `table` refer to one row of `target` by its `referenced` columns. */
export interface ForeignKey {
  name: string;
  table: string;
  columns: string[];
  target: string;
  referenced: string[];
  /** Whether at most one row of `table` can refer to the same row of `target`. */
  unique: boolean;
}

export interface Argument {
  name: string;
  type: Type;
  required: boolean;
  variadic: boolean;
}

export interface Callable {
  name: string;
  args: Argument[];
  returnsSet: boolean;
  returns: "void" | "value" | "row";
  /** The shape of the rows. */
  rows: Table;
}

export interface Catalogue {
  tables: Map<string, Table>;
  foreignKeys: ForeignKey[];
  functions: Map<string, Callable[]>;
}

interface RawTable {
  name: string;
  columns: Column[];
  computed: Column[];
  primary: string[] | null;
  unique: string[][];
  deniedTo?: string[];
  isView?: boolean;
  mayKeepDeleted?: boolean;
}

interface RawFunction {
  name: string;
  returnsSet: boolean;
  returns: Callable["returns"];
  table: string | null;
  type: Type;
  /** The columns of a composite type that is no table's. */
  columns: Column[] | null;
  args: { name: string; type: Type; mode: "i" | "o" | "b" | "v" | "t" }[];
  defaults: number;
}

interface Raw {
  tables: RawTable[];
  foreignKeys: Omit<ForeignKey, "unique">[];
  functions: RawFunction[];
}

/** Reads everything in schema `public` that requests can use. */
async function loadCatalogue(db: Database): Promise<Catalogue> {
  const { rows } = await db.query<{ catalogue: string }>(CATALOGUE);
  const raw = JSON.parse(rows[0]?.catalogue ?? "") as Raw;
  const tables = new Map(raw.tables.map((table) => [table.name, readTable(table)]));
  const unique = new Map(raw.tables.map((table) => [table.name, table.unique]));
  const functions = new Map<string, Callable[]>();
  for (const one of raw.functions) {
    functions.set(one.name, [...(functions.get(one.name) ?? []), readFunction(one, tables)]);
  }
  const foreignKeys = raw.foreignKeys.map((key) => ({
    ...key,
    unique: (unique.get(key.table) ?? []).some((columns) => columns.every((column) => key.columns.includes(column))),
  }));
  return { tables, foreignKeys, functions };
}

const readTable = (raw: Omit<RawTable, "unique">): Table => ({
  name: raw.name,
  columns: new Map(raw.columns.map((column) => [column.name, column])),
  computed: new Map(raw.computed.map((column) => [column.name, column])),
  primary: raw.primary ?? [],
  deniedTo: raw.deniedTo ?? [],
  isView: raw.isView ?? false,
  mayKeepDeleted: raw.mayKeepDeleted ?? false,
});

function readFunction(raw: RawFunction, tables: Map<string, Table>): Callable {
  const parameters = raw.args.filter((arg) => arg.mode === "i" || arg.mode === "b" || arg.mode === "v");
  const outputs = raw.args.filter((arg) => arg.mode === "o" || arg.mode === "b" || arg.mode === "t");
  const columns = raw.columns ?? outputs.map(({ name, type }): Column => ({ name, type, default: null }));
  // A row of an unknown type, or of one in another schema, is a value: a JSON object.
  const isValue = columns.length === 0 && raw.table === null;
  const returns = columns.length > 0 ? "row" : isValue && raw.returns === "row" ? "value" : raw.returns;
  // A value is read as a row of one column, which has PostgREST's name.
  if (returns !== "row") columns.push({ name: SCALAR, type: raw.type, default: null });
  const own = readTable({ name: raw.name, columns, computed: [], primary: null });
  return {
    name: raw.name,
    args: parameters.map((arg, place) => ({
      name: arg.name,
      type: arg.type,
      // Defaults belong to the last arguments.
      required: place < parameters.length - raw.defaults,
      variadic: arg.mode === "v",
    })),
    returnsSet: raw.returnsSet,
    returns,
    rows: (raw.table !== null && tables.get(raw.table)) || own,
  };
}

/** The cached catalogue. */
export interface CatalogueCache {
  readonly current: Catalogue;
  /** Reads the catalogue again unless that happened within the last second; resolves to the newest one. */
  refresh(): Promise<Catalogue>;
  close(): Promise<void>;
}

/** Caches the catalogue, and reads it again at a `notify pgrst` from any process. */
export async function openCatalogue(db: Database): Promise<CatalogueCache> {
  let current: Catalogue;
  const cache = openSchemaCache(async () => {
    current = await loadCatalogue(db);
    return current;
  });
  current = await cache.get();
  const stop = await db.listen("pgrst", (payload) => {
    if (payload === "" || payload === "reload schema") cache.invalidate();
  });
  return {
    get current() {
      return current;
    },
    refresh: cache.refresh,
    async close() {
      cache.close();
      await stop();
    },
  };
}
