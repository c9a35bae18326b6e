import pg from "pg";
import { countChanges } from "./changes.ts";
import type { Database, Rows, Transaction } from "./database.ts";

const { builtins } = pg.types;
const parsers = new Map<number, (value: string) => unknown>([
  // A date of birth must never pass through a time zone.
  [builtins.DATE, (value) => value],
  [builtins.INT8, Number],
]);
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text"),
};

interface Source {
  query(config: { text: string; values?: unknown[] }): Promise<pg.QueryResult>;
}

const asTransaction = (source: Source): Transaction => ({
  async query<Row>(text: string, params: unknown[] = []): Promise<Rows<Row>> {
    const result = await source.query({ text, values: params });
    return { rows: result.rows as Row[], changed: result.command === "SELECT" ? 0 : (result.rowCount ?? 0) };
  },
  async exec(text) {
    await source.query({ text });
  },
});

/** PostgreSQL 15 or newer at `url`; any number of processes may share it. */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, types, max: 10 });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on("error", () => {});
  // Row policies look expensive to the planner, so that nearly every query would be compiled first: longer than it runs.
  pool.on("connect", (client) => client.query("set jit = off").catch(() => {}));
  const { rows } = await pool.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  if ((rows[0]?.version ?? 0) < 150_000) {
    await pool.end();
    throw new Error("DATABASE_URL must lead to PostgreSQL 15 or newer.");
  }
  const listeners = new Set<() => Promise<void>>();
  return {
    kind: "postgres",
    ...countChanges(asTransaction(pool), (work) => transact(pool, work)),
    async listen(channel, heard) {
      const stop = await keepListening(url, channel, heard);
      listeners.add(stop);
      return stop;
    },
    async close() {
      await Promise.all([...listeners].map((stop) => stop()));
      await pool.end();
    },
  };
}

async function transact<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(asTransaction(client));
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    const broken = await client.query("rollback").then(
      () => undefined,
      (failure: Error) => failure,
    );
    client.release(broken);
    throw error;
  }
}

/** A connection of its own, opened again one second after it is lost. */
async function keepListening(url: string, channel: string, heard: (payload: string) => void) {
  let client: pg.Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let stopped = false;
  const open = async () => {
    const next = new pg.Client({ connectionString: url });
    next.on("notification", (message) => heard(message.payload ?? ""));
    next.on("error", () => {});
    next.on("end", () => {
      if (!stopped) again = setTimeout(() => open().catch(() => {}), 1000);
    });
    await next.connect();
    await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    // What was said while nobody listened is lost: the listener has to look for itself.
    if (client) heard("");
    client = next;
  };
  await open();
  return async () => {
    stopped = true;
    clearTimeout(again);
    await client?.end();
  };
}
