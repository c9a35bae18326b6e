import type { Readable, Writable } from "node:stream";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

/** A table to be copied, without generated columns. */
export interface CopiedTable {
  /** Including its schema, quoted if necessary. */
  name: string;
  columns: string[];
}

export interface Sequence {
  name: string;
  value: string;
  called: boolean;
}

/** A separate connection that reads and writes whole tables. */
export interface CopyConnection {
  query<Row = Record<string, unknown>>(text: string, params?: unknown[]): Promise<Row[]>;
  /** Every table of every schema except PostgreSQL's own and the list of migrations. */
  tables(): Promise<CopiedTable[]>;
  sequences(): Promise<Sequence[]>;
  /** The columns of a table as SQL. */
  columnsOf(table: CopiedTable): string;
  /** The rows of a table in the text format of COPY. */
  copyOut(table: CopiedTable): Readable;
  /** Accepts rows in that format. */
  copyIn(table: CopiedTable): Writable;
  close(): Promise<void>;
}

/**
 * Settings that affect the text of values. Row policies do not apply to a table's owner. If this account is not the
 * owner, reading fails instead of leaving rows out.
 */
const SESSION = `set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8'; set row_security = off; set statement_timeout = 0; set idle_session_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set jit = off`;

const columnsOf = ({ columns }: CopiedTable) => columns.map((column) => pg.escapeIdentifier(column)).join(", ");

/** Opens a connection for copying tables of the database at `url`. */
export async function openCopyConnection(url: string): Promise<CopyConnection> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a connection that breaks between statements would end the process. The next statement rejects.
  client.on("error", () => {});
  await client.connect();
  await client.query(SESSION);
  const query = async <Row>(text: string, params: unknown[] = []) => (await client.query(text, params)).rows as Row[];
  return {
    query,
    tables: () =>
      query<CopiedTable>(`
        select format('%I.%I', n.nspname, c.relname) as name, array_agg(a.attname::text order by a.attnum) as columns
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'migrations')
        group by c.oid, n.nspname, c.relname order by 1`),
    async sequences() {
      const names = await query<{ name: string }>(
        "select format('%I.%I', schemaname, sequencename) as name from pg_sequences order by 1",
      );
      const allSequences: Sequence[] = [];
      for (const { name } of names) {
        const [row] = await query<Omit<Sequence, "name">>(
          `select last_value::text as value, is_called as called from ${name}`,
        );
        if (row) allSequences.push({ name, ...row });
      }
      return allSequences;
    },
    columnsOf,
    copyOut: (table) => client.query(copyTo(`copy ${table.name} (${columnsOf(table)}) to stdout`)),
    copyIn: (table) => client.query(copyFrom(`copy ${table.name} (${columnsOf(table)}) from stdin`)),
    close: () => client.end(),
  };
}

/** An arbitrary lock number. Backups and moves hold the lock while the bytes of deleted objects must stay. */
export const KEEP_BYTES_LOCK = 7_545_938;

/**
 * A condition that is true while a backup copies bytes. A backup takes the lock before its snapshot, so a statement
 * that does not see a row of the snapshot any more sees the lock.
 */
export const BYTES_ARE_KEPT = `exists (select from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and classid = 0 and objid = ${KEEP_BYTES_LOCK} and objsubid = 1)`;
