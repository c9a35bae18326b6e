/** What Skies asks of a PostgreSQL dialect database, whichever driver stands behind it. */

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

export interface Database extends Transaction {
  readonly kind: "pglite" | "postgres";
  /** `query` for a statement that changes nothing, which is for its maker to know: it does not count as a change. */
  read: Transaction["query"];
  /** How many statements and transactions of this process that may have changed something have ended, well or badly. */
  changes(): number;
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Hears `notify` on a channel, from every process on this database, and an empty payload whenever a lost connection
   * is back; resolves to a function that stops listening.
   */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The fields of a database refusal that protocols pass on; both drivers carry them under these names. */
export interface SqlError extends Error {
  /** SQLSTATE, five characters. */
  code: string;
  detail?: string;
  hint?: string;
  constraint?: string;
}

export const isSqlError = (error: unknown): error is SqlError =>
  error instanceof Error && "code" in error && typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code);
