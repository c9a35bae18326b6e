import { createHash } from "node:crypto";
import type pg from "pg";
import { READ_RESPONSE, SET_REQUEST } from "./as-caller.ts";
import { type Answer, type CallerStatement, isSqlError } from "./database.ts";
import { type LongRow, receiveLongRows } from "./long-rows.ts";

/** The maximum memory in megabytes for prepared statements of one connection. */
const MOST_MB = 32;
/** A connection's memory is measured after this many answers; that takes about a millisecond. */
const ASKED_EACH = 64;
const KEPT = `select coalesce(sum(total_bytes), 0)::float8 / 1048576 as mb from pg_backend_memory_contexts
  where name in ('CachedPlan', 'CachedPlanQuery', 'CachedPlanSource')`;

/** The type ids of `text` and `text[]`, the only types of values here. */
const [TEXT, TEXTS] = [25, 1009];
const AS_CALLER = "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)";
const READ_ONLY = ", set_config('transaction_read_only', 'on', true)";
const PLAN_ONCE = ", set_config('plan_cache_mode', 'force_generic_plan', true)";

/** A prepared statement's result type has changed, or the statement does not exist any more. */
const STALE = new Set(["0A000", "26000"]);

interface Step {
  name: string;
  text: string;
  types: number[];
  values: string[];
}

/**
 * Runs callers' statements, each in one round trip and its own transaction. Each connection keeps them prepared,
 * because planning with row policies takes several times as long as running.
 */
export function openPrepared(): (client: pg.PoolClient, statement: CallerStatement) => Promise<Answer | undefined> {
  const connections = new WeakMap<pg.PoolClient, { names: Set<string>; answers: number }>();
  let isAllowed = true;

  return async (client, statement) => {
    const session = connections.get(client) ?? { names: new Set<string>(), answers: 0 };
    connections.set(client, session);
    const steps = stepsOf(statement);
    const send = async () => {
      const answer = await new Promise<Answer | undefined>((resolve, reject) => {
        client.query(new Batch(steps, isAllowed ? session.names : undefined, resolve, reject));
      }).catch((error: Error) => {
        // The stack of the caller, as in the driver's own errors, instead of the parser's.
        Error.captureStackTrace(error);
        throw error;
      });
      if (isAllowed) for (const { name } of steps) session.names.add(name);
      return answer;
    };
    const answer = await send().catch((error: unknown) => {
      if (!isSqlError(error) || !STALE.has(error.code) || !steps.some(({ name }) => session.names.has(name)))
        throw error;
      session.names.clear();
      return send();
    });
    session.answers += 1;
    if (isAllowed && session.answers % ASKED_EACH === 0) {
      // The answer is valid even if this fails; a lost connection is noticed at its next use.
      await shed(client, session.names).catch(() => {});
    }
    return answer;
  };

  /** Drops a connection's statements if they use too much memory. Stops preparing if measuring is not permitted. */
  async function shed(client: pg.PoolClient, names: Set<string>) {
    const isFull = await client.query<{ mb: number }>(KEPT).then(
      ({ rows }) => (rows[0]?.mb ?? 0) > MOST_MB,
      (error: unknown) => {
        isAllowed &&= !(isSqlError(error) && error.code === "42501");
        return !isAllowed;
      },
    );
    if (!isFull) return;
    names.clear();
    await client.query("deallocate all");
  }
}

/** The place of the caller's own statement among the steps. */
const ANSWER = 1;

function stepsOf({ role, claims, text, values, readOnly, planOnce, request }: CallerStatement): Step[] {
  const settings = request ? [request.method, request.path, request.headers] : [];
  const options = `${readOnly ? ", reading" : ""}${planOnce ? ", planned once" : ""}${request ? ", by request" : ""}`;
  return [
    {
      name: `as caller${options}`,
      text: `${AS_CALLER}${request ? `, ${SET_REQUEST(3)}` : ""}${readOnly ? READ_ONLY : ""}${planOnce ? PLAN_ONCE : ""}`,
      types: [TEXT, TEXT, ...settings.map(() => TEXT)],
      values: [role, claims, ...settings],
    },
    {
      // A plan contains the policies of its role, so each role has its own prepared statement.
      name: createHash("sha256").update(`${role} ${text}`).digest("base64url"),
      text,
      types: [TEXTS],
      values: [arrayOf(values)],
    },
    ...(request ? [{ name: "response", text: READ_RESPONSE, types: [], values: [] }] : []),
  ];
}

const arrayOf = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? "NULL" : `"${value.replace(/["\\]/g, "\\$&")}"`)).join(",")}}`;

/** The protocol methods of the client's connection; its published types lack type ids. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  close(statement: { type: "S"; name: string }): void;
  parse(statement: { name: string; text: string; types: number[] }): void;
  bind(call: { statement: string; values: string[] }): void;
  execute(): void;
  sync(): void;
}

/**
 * Protocol messages of one transaction with a single sync at the end. After a failure the remaining messages are
 * skipped, so a statement never runs without the role that is set before it.
 */
class Batch implements pg.Submittable {
  private connection: pg.Connection | undefined;
  private done = 0;
  private answer: Answer | undefined;

  constructor(
    private readonly steps: Step[],
    /** Names of the prepared statements; undefined to prepare none. */
    private readonly names: Set<string> | undefined,
    private readonly resolve: (answer: Answer | undefined) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: pg.Connection) {
    this.connection = connection;
    receiveLongRows(connection, (row) => this.readRow(row));
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    for (const { name: called, text, types, values } of this.steps) {
      const name = this.names ? called : "";
      if (!this.names?.has(name)) {
        // The statement may exist already, from a transaction that failed after parsing.
        if (name) wire.close({ type: "S", name });
        wire.parse({ name, text, types });
      }
      wire.bind({ statement: name, values });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    this.readRow(fields);
  }

  private readRow([first, second, third]: (string | null)[] | LongRow) {
    if (this.done === ANSWER) {
      const body = first as string | Buffer;
      this.answer ??= { body, page: Number(second), total: third == null ? null : Number(third) };
    } else if (this.done > ANSWER && this.answer) {
      this.answer.response = { status: first?.toString() ?? null, headers: second?.toString() ?? null };
    }
  }

  /** Whatever the connection runs next gets its own rows. */
  private end() {
    if (this.connection) receiveLongRows(this.connection);
  }

  handleCommandComplete() {
    this.done += 1;
  }

  handleError(error: Error) {
    this.end();
    this.reject(error);
  }

  handleReadyForQuery() {
    this.end();
    this.resolve(this.answer);
  }
}
