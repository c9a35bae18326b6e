/** What Skies asks of PostgreSQL. */

/** Rows as plain objects. `date` columns are ISO strings, `bigint` numbers, `timestamptz` Dates, `json` parsed. */
export interface Rows<Row> {
  rows: Row[];
  /** How many rows the statement changed; 0 for a select. */
  changed: number;
}

export interface Transaction {
  /** One statement; values only as `$1`… parameters. */
  query<Row = Record<string, unknown>>(text: string, params?: unknown[]): Promise<Rows<Row>>;
  /** Several statements without parameters, as in a migration. */
  exec(text: string): Promise<void>;
}

export interface StatementOptions {
  /** Whose time limit it has; none where absent. */
  role?: string;
  /** Of a `read`: the answer may lack what was committed in the last second, so that a replica can give it. */
  mayBeOld?: boolean;
}

/** One statement of a caller. It yields one row `(body text, page bigint, total bigint)`. */
export interface CallerStatement {
  role: string;
  /** JSON text, which row policies read. */
  claims: string;
  text: string;
  /** `$1[1]`, `$1[2]` … of the text. */
  values: readonly (string | null)[];
  /** Whether the database is to refuse every change. */
  readOnly: boolean;
  /** The answer may lack what was committed in the last second, so that a replica can give it. */
  mayBeOld: boolean;
}

/** What one statement of a caller yields. */
export interface Answer {
  /** The statement's JSON text, untouched. */
  body: string;
  /** Rows in this answer. */
  page: number;
  /** Rows that match without its limit, where the statement counted them. */
  total: number | null;
}

export interface Database extends Transaction {
  /** Whether no other process uses it: what an earlier process had claimed in it is free. */
  readonly exclusive: boolean;
  /** Where it answers, with its password: for connections of another kind. */
  readonly url: string;
  /** One statement. */
  query<Row = Record<string, unknown>>(text: string, params?: unknown[], how?: StatementOptions): Promise<Rows<Row>>;
  /** `query` for a statement that changes nothing, which is for its maker to know: it does not count as a change. */
  read: Database["query"];
  /** One statement as its caller, in one round trip and a transaction of its own; nothing where it yields no row. */
  answer(asked: CallerStatement): Promise<Answer | undefined>;
  /** How many statements and transactions of this process that may have changed something have ended, well or badly. */
  changes(): number;
  /** Commits when `work` resolves, rolls back when it rejects; each statement has the time limit of `role` where one is given. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, role?: string): Promise<T>;
  /**
   * Hears `notify` on a channel, from every process on this database, and an empty payload whenever a lost connection
   * is back; resolves to a function that stops listening. `lost` is called within a second of the connection's loss.
   */
  listen(channel: string, heard: (payload: string) => void, lost?: () => void): Promise<() => Promise<void>>;
  /** What the connections of this process's pool do. */
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

/** No class of SQLSTATEs begins with E, as the code of a broken pipe does: `EPIPE`. */
export const isSqlError = (error: unknown): error is SqlError =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(error.code);

/** Whether a change was refused because the installation is being moved: see `server/backup/read-only.ts`. */
export const isBeingMoved = (error: unknown): boolean => isSqlError(error) && error.code === "25006";

/**
 * Runs a statement also while the installation is being moved. Only for what guards or serves reading, as counts of attempts: what it
 * writes then may be missing in the new installation.
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

/** The database is older than the migrations. */
export class OldDatabaseError extends Error {
  constructor() {
    super("PostgreSQL 15 or newer is needed.");
  }
}

/** The database cannot be reached now: it is starting, or its connection broke while a statement ran. */
export class DatabaseUnavailableError extends Error implements SqlError {
  /** The database's own reason where it gave one. */
  readonly code: string;
  constructor(cause: unknown) {
    super("The database cannot be reached at this moment.", { cause });
    this.name = "DatabaseUnavailableError";
    this.code = isSqlError(cause) ? cause.code : "57P03";
  }
}
