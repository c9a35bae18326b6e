import type { Role } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { openSchemaCache } from "../schema-cache.ts";

export interface Column {
  name: string;
  /** The type as sent to clients: `int8`, `_text`; for a domain its base type. */
  type: string;
  /** The type in SQL notation. */
  sqlType: string;
  /** The roles that may read the column. */
  readers: Role[];
}

/** A table with realtime. */
export interface WatchedTable {
  schema: string;
  name: string;
  /** Schema and name, quoted for SQL. */
  sql: string;
  key: Column[];
  columns: Column[];
  /** The row policies for reading: one SQL condition for each role. */
  conditions: Record<Role, string>;
}

/** The published tables; read again, at most once a second, when a name is unknown or after `invalidate`. */
export interface Catalogue {
  tables(): Promise<WatchedTable[]>;
  table(schema: string, name: string): Promise<WatchedTable | undefined>;
  invalidate(): void;
  close(): void;
}

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Returns the columns that a caller may read, by its `columnRoles`; none if it may not read the key, because its rows
 * cannot be found then.
 */
export const readable = ({ columns, key }: WatchedTable, roles: Role[]): Column[] => {
  const isReadable = ({ readers }: Column) => roles.every((role) => readers.includes(role));
  return key.every(isReadable) ? columns.filter(isReadable) : [];
};

export function openCatalogue(db: Database): Catalogue {
  const cache = openSchemaCache(() => read(db));
  const find = (tables: WatchedTable[], schema: string, name: string) =>
    tables.find((table) => table.schema === schema && table.name === name);
  return {
    tables: cache.get,
    table: async (schema, name) => find(await cache.get(), schema, name) ?? find(await cache.refresh(), schema, name),
    invalidate: cache.invalidate,
    close: cache.close,
  };
}

interface Row extends Omit<WatchedTable, "key" | "sql"> {
  key: string[];
}

async function read(db: Database): Promise<WatchedTable[]> {
  const { rows } = await db.query<Row>(`
    with roles as (select unnest(array['anon', 'authenticated', 'service_role']) as role)
    select n.nspname as schema, c.relname as name, k.columns as key,
      (select json_agg(json_build_object(
          'name', a.attname, 'type', coalesce(base.typname, t.typname), 'sqlType', format_type(a.atttypid, a.atttypmod),
          'readers', (select coalesce(json_agg(role), '[]') from roles where has_column_privilege(role, c.oid, a.attnum, 'select'))
        ) order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_type base on base.oid = t.typbasetype
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select json_object_agg(role, realtime.select_condition(c.oid, role::name)) from roles) as conditions
    from pg_trigger w join pg_class c on c.oid = w.tgrelid join pg_namespace n on n.oid = c.relnamespace
      cross join realtime.key_columns(c.oid) as k (columns)
    where w.tgname = 'realtime_capture' and k.columns is not null`);
  return rows.map((row) => ({
    ...row,
    sql: `${quote(row.schema)}.${quote(row.name)}`,
    key: row.columns.filter(({ name }) => row.key.includes(name)),
  }));
}
