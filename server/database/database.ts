/** The interface to PostgreSQL. */

/** Rows as plain objects. `date` columns are ISO strings, `bigint` numbers, `timestamptz` Dates, `json` parsed. */
export interface Rows<Row> {
  rows: Row[];
  /** The number of changed rows; 0 for a select. */
  changed: number;
}

export interface Transaction {
  /** Runs one statement; values are `$1`… parameters. */
  query<Row = Record<string, unknown>>(text: string, params?: unknown[]): Promise<Rows<Row>>;
  /** Runs several statements without parameters, e.g. a migration. */
  exec(text: string): Promise<void>;
}

export interface StatementOptions {
  /** The role whose time limit applies; none if absent. */
  role?: string;
  /** For `read`: the result may lack commits of the last second, so that a replica can answer. */
  mayBeOld?: boolean;
}

/** One statement of a caller. It returns one row `(body text, page bigint, total bigint)`. */
export interface CallerStatement {
  role: string;
  /** Claims as JSON text, which row policies read. */
  claims: string;
  text: string;
  /** The statement's `$1[1]`, `$1[2]` …. */
  values: readonly (string | null)[];
  /** Whether the database rejects every change. */
  readOnly: boolean;
  /** The result may lack commits of the last second, so that a replica can answer. */
  mayBeOld: boolean;
  /** Whether one plan suits all values, as for rows that are named by their keys. */
  planOnce: boolean;
  /** The request, which functions read as settings. With it, the answer contains the response that they set. */
  request?: RequestSettings;
}

/** A request as the settings `request.method`, `request.path` and `request.headers`. */
export interface RequestSettings {
  method: string;
  path: string;
  /** A JSON object by lower-case name. */
  headers: string;
}

/** The result of a caller's statement. */
export interface Answer<Body = string | Buffer> {
  /** The statement's JSON text, unchanged. A long one may be its bytes. */
  body: Body;
  /** The number of rows in this result. */
  page: number;
  /** The number of rows without the limit, if the statement counted them. */
  total: number | null;
  /** The settings `response.status` and `response.headers` after the statement. */
  response?: ResponseSettings;
}

export interface ResponseSettings {
  status: string | null;
  headers: string | null;
}

export interface Database extends Transaction {
  /** Whether no other process uses the database, so that claims of earlier processes are void. */
  readonly exclusive: boolean;
  /** The URL with its password, for other kinds of connections. */
  readonly url: string;
  query<Row = Record<string, unknown>>(text: string, params?: unknown[], how?: StatementOptions): Promise<Rows<Row>>;
  /** `query` for a statement that changes nothing; `changes` does not count it. */
  read: Database["query"];
  /** Runs one statement as its caller, in one round trip and its own transaction; undefined if it returns no row. */
  answer(statement: CallerStatement): Promise<Answer | undefined>;
  /** The number of ended statements and transactions of this process that may have changed data. */
  changes(): number;
  /**
   * Commits when `work` resolves, rolls back when it rejects. Each statement has the time limit of `role`, if given.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, role?: string): Promise<T>;
  /**
   * Listens to a channel, with notifications of every process on this database. After a lost connection is restored,
   * `heard` gets an empty payload. `lost` is called within a second of the loss. Resolves to a function that stops
   * listening.
   */
  listen(channel: string, heard: (payload: string) => void, lost?: () => void): Promise<() => Promise<void>>;
  /** The state of this process's connection pool. */
  pool(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** The fields of a database refusal that protocols pass on. */
export interface SqlError extends Error {
  /** SQLSTATE, five characters. */
  code: string;
  detail?: string;
  hint?: string;
  constraint?: string;
}

/** No SQLSTATE class begins with E, unlike system errors such as `EPIPE`. */
export const isSqlError = (error: unknown): error is SqlError =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(error.code);

/** The maximum number of attempts of a statement that PostgreSQL cancelled to resolve a deadlock. */
const DEADLOCK_TRIES = 3;
const DEADLOCK = "40P01";

/**
 * Retries a statement or transaction that was the victim of a deadlock, and was therefore rolled back. Statements of the
 * server lock in a fixed order, but two callers who change many rows may not, because each locks them in the order of
 * its plan.
 */
export async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isSqlError(error) || error.code !== DEADLOCK || tries === DEADLOCK_TRIES) throw error;
    }
  }
}

/** Whether a change was rejected because the installation is being moved: see `server/backup/read-only.ts`. */
export const isBeingMoved = (error: unknown): boolean => isSqlError(error) && error.code === "25006";

/**
 * Runs a statement also while the installation is being moved. Only for writes that guard or serve reading, e.g.
 * attempt counters: the new installation may lack them.
 */
export async function queryWhileMoving<Row>(db: Database, text: string, params?: unknown[]): Promise<Rows<Row>> {
  try {
    return await db.query<Row>(text, params);
  } catch (error) {
    if (!isBeingMoved(error)) throw error;
    return db.transaction(async (tx) => {
      await tx.exec("set transaction read write");
      return tx.query<Row>(text, params);
    });
  }
}

/** The version of PostgreSQL is too old for the migrations. */
export class OldDatabaseError extends Error {
  constructor() {
    super("PostgreSQL 15 or newer is needed.");
  }
}

/** The database is unreachable: it is starting, or its connection broke during a statement. */
export class DatabaseUnavailableError extends Error implements SqlError {
  /** The database's error code, if it gave one. */
  readonly code: string;
  constructor(cause: unknown) {
    super("The database cannot be reached at this moment.", { cause });
    this.name = "DatabaseUnavailableError";
    this.code = isSqlError(cause) ? cause.code : "57P03";
  }
}
