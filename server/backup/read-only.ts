import { setTimeout as delay } from "node:timers/promises";
import type { CopyConnection } from "../database/copy-rows.ts";

/** How long running transactions may take to end, in milliseconds. */
const GRACE_MS = 5000;
const PAUSE_MS = 100;

/** Makes a database read-only, beyond the life of this process, until {@link makeWritable}. */
export const makeReadOnly = (connection: CopyConnection): Promise<void> =>
  alter(connection, "set default_transaction_read_only = on");

export const makeWritable = (connection: CopyConnection): Promise<void> =>
  alter(connection, "reset default_transaction_read_only");

/** Changes a setting for all processes: new connections have it, and existing ones are ended, idle ones first. */
async function alter(connection: CopyConnection, change: string) {
  await connection.query("set default_transaction_read_only = off");
  const [database] = await connection.query<{ name: string }>("select quote_ident(current_database()) as name");
  await connection.query(`alter database ${database?.name} ${change}`);
  const [now] = await connection.query<{ at: string }>("select clock_timestamp()::text as at");
  for (const end = Date.now() + GRACE_MS; ; await delay(PAUSE_MS)) {
    // Idle connections are replaced at their next use, without an error.
    const remaining = await connection.query(
      `select case when state = 'idle' or $2 then pg_terminate_backend(pid) end from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
         and usename = session_user and backend_start < $1`,
      [now?.at, Date.now() >= end],
    );
    if (remaining.length === 0) return;
  }
}
