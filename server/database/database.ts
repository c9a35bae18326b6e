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
  /** Under which a connection keeps it parsed and planned: for statements that are always the same text. */
  name?: string;
  /** The statement that this one only hands on, as traces name it. */
  runs?: string;
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
