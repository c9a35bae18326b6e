import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { answerInside } from "./as-caller.ts";
import { countChanges } from "./changes.ts";
import {
  againAfterDeadlock,
  type Database,
  DatabaseUnavailableError,
  OldDatabaseError,
  type Rows,
  type Transaction,
} from "./database.ts";
import { keepListening } from "./listen.ts";
import { LongRowClient } from "./long-rows.ts";
import { openPrepared } from "./prepared.ts";
import { openProcessorClocks, openProgressClock } from "./work-clocks.ts";
import { currentMeter } from "./work-meter.ts";

const { builtins } = pg.types;
const parsers = new Map<number, (value: string) => unknown>([
  // A date must not pass through a time zone.
  [builtins.DATE, (value) => value],
  [builtins.INT8, Number],
]);
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text"),
};

/** Connections of one process for statements; each listener has its own. */
const CONNECTIONS = 10;
/**
 * Connections that stay open when idle. A new connection plans each statement again, which takes a tenth of a second of
 * processor time for a page. A connection with these plans uses about 25 MB.
 */
const KEPT = 3;
/** Further connections are closed after this idle time, in milliseconds. */
const IDLE_MS = 60_000;
/** How long a request waits for a starting database or a free connection, in milliseconds. */
const WAIT_MS = 5000;
/** The pause between two attempts to connect, in milliseconds. */
const RETRY_MS = 50;
/** The oldest version that the migrations support. */
const OLDEST = 150_000;

interface Source {
  query(config: { text: string; values?: unknown[] }): Promise<pg.QueryResult>;
}

const ASK_PID = "select pg_backend_pid() as pid";
/** A statement of constant work, whose duration shows the database's speed. */
const PROBE = "select count(*) from generate_series(1, 1000)";
const BACKEND = `select extract(epoch from backend_start)::float8 as started from pg_stat_activity
  where pid = pg_backend_pid()`;

const asTransaction = (source: Source): Transaction => ({
  async query<Row>(text: string, params: unknown[] = []): Promise<Rows<Row>> {
    const result = await source.query({ text, values: params });
    return { rows: result.rows as Row[], changed: result.command === "SELECT" ? 0 : (result.rowCount ?? 0) };
  },
  async exec(text) {
    await source.query({ text });
  },
});

/**
 * Opens the PostgreSQL 15 or newer at `url`, which any number of processes may share. With `directUrl`, `url` is a
 * pooler that may give each transaction another connection: no session state outlives a transaction, and listeners
 * connect to `directUrl`.
 */
export async function openPostgres(url: string, directUrl?: string): Promise<Database> {
  const pool = new pg.Pool({
    Client: LongRowClient,
    connectionString: url,
    types,
    connectionTimeoutMillis: WAIT_MS,
    max: CONNECTIONS,
    min: KEPT,
    idleTimeoutMillis: IDLE_MS,
    // Without it, firewalls drop idle connections.
    keepAlive: true,
    keepAliveInitialDelayMillis: IDLE_MS,
  });
  // A broken idle connection is replaced at its next use; without a listener its error would end the process.
  pool.on("error", () => {});
  // Likewise for a connection that breaks between two statements of a transaction; the next statement rejects.
  pool.on("connect", (client) => client.on("error", () => {}));
  const isPooled = directUrl !== undefined;
  const limits = openTimeLimits();
  const prepared = openPrepared();
  const listeners = new Set<() => Promise<void>>();

  const processors = openProcessorClocks();
  // One connection, which opens at first use: only if the database runs on another machine.
  const probes = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: WAIT_MS,
    max: 1,
    idleTimeoutMillis: IDLE_MS,
  });
  probes.on("error", () => {});
  const progress = openProgressClock(() => probes.query(PROBE));

  /** Measures the work of a backend for the current request, if there is one. */
  async function measured<T>(source: Source, pid: number, work: () => Promise<T>): Promise<T> {
    const meter = currentMeter();
    if (!meter) return work();
    const processor = await processors.of(pid, async () => {
      const { rows } = await source.query({ text: BACKEND });
      return Number(rows[0]?.started ?? 0);
    });
    const end = processor ? undefined : progress.observe();
    meter.start(processor ?? progress.now);
    try {
      return await work();
    } finally {
      meter.stop();
      end?.();
    }
  }

  /** Runs `work` on a connection with the time limits of `role`, and releases the connection. */
  async function using<T>(role: string | undefined, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await acquire(pool);
    try {
      if (!isPooled) await limits.apply(client, role);
      // A pooler gives each transaction another backend, so each transaction is measured.
      const result = isPooled ? await work(client) : await measured(client, pidOf(client), () => work(client));
      client.release();
      return result;
    } catch (error) {
      const lost = isConnectionFailure(error);
      client.release(lost);
      throw lost ? new DatabaseUnavailableError(error) : error;
    }
  }

  /** A transaction with the time limits of `role`. Behind a pooler, the transaction sets them itself. */
  const inTransaction = async <T>(
    client: pg.PoolClient,
    role: string | undefined,
    work: (tx: Transaction) => Promise<T>,
  ) =>
    isPooled
      ? transact(client, await limits.begin(client, role), (tx, pid = 0) => measured(client, pid, () => work(tx)))
      : transact(client, "begin", work);

  const database: Database = {
    exclusive: false,
    url: directUrl ?? url,
    ...countChanges({
      query: (text, params, { role } = {}) =>
        using(role, (client) =>
          againAfterDeadlock(() =>
            isPooled
              ? inTransaction(client, role, (tx) => tx.query(text, params))
              : asTransaction(client).query(text, params),
          ),
        ),
      answer: (statement) =>
        using(statement.role, (client) =>
          againAfterDeadlock(() =>
            // Behind a pooler, the next transaction may not have the prepared statement.
            isPooled
              ? inTransaction(client, statement.role, (tx) => answerInside(tx, statement))
              : prepared(client, statement),
          ),
        ),
      exec: (text) => using(undefined, (client) => asTransaction(client).exec(text)),
      transaction: (work, role) => using(role, (client) => inTransaction(client, role, work)),
    }),
    async listen(channel, heard, lost) {
      const stop = await keepListening(directUrl ?? url, channel, heard, lost);
      listeners.add(stop);
      return stop;
    },
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await Promise.all([...listeners].map((stop) => stop()));
      await Promise.all([pool.end(), probes.end()]);
      processors.close();
    },
  };
  try {
    const ask = () =>
      database.query<{ version: number }>("select current_setting('server_version_num')::int as version");
    const { rows } = await ask().catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      // A starting process loads modules. On a busy machine, the timeout may pass before it reads the response.
      return ask();
    });
    if ((rows[0]?.version ?? 0) < OLDEST) throw new OldDatabaseError();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return database;
}

/** The process id of the connection's backend; its published type lacks it. */
const pidOf = (client: pg.PoolClient): number => (client as unknown as { processID: number }).processID;

/** Waits for a free connection while the database starts or is busy; rejects after {@link WAIT_MS}. */
async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isConnectionFailure(error)) throw error;
      if (Date.now() >= end) throw new DatabaseUnavailableError(error);
      await delay(RETRY_MS);
    }
  }
}

/** Runs a transaction. If `begin` ends with the query of the backend's process id, `work` gets that. */
async function transact<T>(
  client: pg.PoolClient,
  begin: string,
  work: (tx: Transaction, pid?: number) => Promise<T>,
): Promise<T> {
  const begun: unknown = await client.query(begin);
  const last = Array.isArray(begun) ? (begun.at(-1) as pg.QueryResult<{ pid: number }>) : undefined;
  try {
    const result = await work(asTransaction(client), last?.rows[0]?.pid);
    await client.query("commit");
    return result;
  } catch (error) {
    // If the rollback fails, the connection is lost. The pool discards it only after a connection failure.
    await client.query("rollback").catch((failure) => {
      throw isConnectionFailure(error) ? error : failure;
    });
    throw error;
  }
}

/** SQLSTATEs and system errors of a server that is unreachable, starting, stopping or full. */
const AWAY = /^(08|57P0[123]$|53300$|ECONN|ENOENT$|EPIPE$|ETIMEDOUT$)/;
/** The messages of the driver's own connection errors, which have no code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error means a lost or failed connection, and not a refused statement. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? AWAY.test(code) : AWAY_MESSAGE.test(error.message);
}

/** The maximum duration of a statement by role, in PostgreSQL's notation, e.g. `3s`. */
type Limits = Map<string, string>;

/** No limit: for the server's own work, e.g. migrations and jobs. */
const NONE = "0";
/**
 * Settings of every connection. Row policies look expensive to the planner, so that it would compile nearly every
 * query, which takes longer than running it. A transaction that waits for its client holds locks that others need.
 */
const SESSION = { jit: "off", lock_timeout: "30s", idle_in_transaction_session_timeout: "60s" };

/** Statements that set these values for the session, or with `local` for the transaction. */
const setAll = (values: Record<string, string>, local = "") =>
  Object.entries(values)
    .map(([name, value]) => `set ${local} ${name} = ${pg.escapeLiteral(value)};`)
    .join(" ");

/**
 * Applies each role's `statement_timeout`, which an administrator sets by `alter role … set statement_timeout`.
 * PostgreSQL itself applies it only to sessions of that role, but the server switches roles within a session.
 */
function openTimeLimits() {
  const applied = new WeakMap<pg.PoolClient, string>();
  let lastLimits: Limits | undefined;
  return {
    /** Sets the connection's limit to that of `role`; costs a round trip only if it changes. */
    async apply(client: pg.PoolClient, role: string | undefined): Promise<void> {
      const limits = await limitOf(client, role);
      if (!applied.has(client)) {
        await client.query(setAll(SESSION));
        applied.set(client, NONE);
      }
      if (applied.get(client) === limits) return;
      await client.query("select set_config('statement_timeout', $1, false)", [limits]);
      applied.set(client, limits);
    },
    /** The statements that begin a transaction with the limit of `role`, and leave nothing on the connection. */
    async begin(client: pg.PoolClient, role: string | undefined): Promise<string> {
      return `begin; ${setAll({ ...SESSION, statement_timeout: await limitOf(client, role) }, "local")} ${ASK_PID}`;
    },
  };

  async function limitOf(client: pg.PoolClient, role: string | undefined): Promise<string> {
    if (role === undefined) return NONE;
    lastLimits ??= await read(client);
    return lastLimits.get(role) ?? NONE;
  }

  async function read(client: pg.PoolClient): Promise<Limits> {
    const { rows } = await client.query<{ role: string; value: string }>(
      `select rolname as role, split_part(setting, '=', 2) as value
       from pg_roles, unnest(rolconfig) as setting where setting like 'statement\\_timeout=%'`,
    );
    return new Map(rows.map(({ role, value }) => [role, value]));
  }
}
