import type { Database } from "../../database/database.ts";

/** A change of one row. */
export interface Change {
  id: number;
  schema: string;
  table: string;
  type: "INSERT" | "UPDATE" | "DELETE";
  /** The primary key by column. */
  key: Record<string, unknown>;
  /** The whole row, if it was deleted. */
  old: Record<string, unknown> | null;
  at: Date;
}

export interface Feed {
  /** Calls `begin` when all earlier changes have been delivered. Every change that commits later will be delivered. */
  follow(begin: () => void): Promise<void>;
  /**
   * Resolves to the changes of these tables that may have committed within this time in ms, and perhaps some earlier
   * ones; undefined if they are too many or too long ago.
   */
  recent(ms: number, tables: readonly string[]): Promise<Change[] | undefined>;
  stop(): Promise<void>;
}

interface Deps {
  db: Database;
  /** Whether there are listeners; without any, changes are not read. */
  hasListeners(): boolean;
  /** Ends the channels whose sessions have ended. Called after changes are read and before they are delivered. */
  checkSessions(): Promise<void>;
  deliver(changes: Change[]): Promise<void>;
  failed(error: unknown): void;
}

const PAGE = 500;
/** The interval in ms of reads without a notification, because a dying connection may lose notifications. */
const POLL_MS = 15_000;
const PRUNE_MS = 60_000;
/** The minimum pause in ms between two reads, so that five hundred added photos cause only a few reads a second. */
const PAUSE_MS = 100;
/** How long changes are kept. */
const KEPT_MS = 5 * 60_000;
/** Longer than any transaction of a caller: a change is recorded before its transaction commits. */
const LONGEST_TRANSACTION_MS = 60_000;
/** The most changes before a join that are compared with its filters. */
const MOST_RECENT = 100;
/** The interval in ms of the horizons that are kept, besides the newest, and their number. */
const BETWEEN_HORIZONS_MS = 500;
const HORIZONS = KEPT_MS / BETWEEN_HORIZONS_MS;

/**
 * Reads `realtime.changes` when the database notifies. New changes are found by transaction, not by id: every change
 * that committed since the last read belongs to a transaction that was still running then or began later.
 */
export async function openFeed({ db, hasListeners, checkSessions, deliver, failed }: Deps): Promise<Feed> {
  /** The oldest transaction that was running at the last read; undefined without listeners. */
  let horizon: string | undefined;
  /** The delivered changes of transactions from the horizon on. */
  let passedOn = new Set<number>();
  let called = false;
  let turn: Promise<void> = Promise.resolve();
  /** Serialises reads, new listeners and the end. */
  const inTurn = (work: () => Promise<void>) => {
    const done = turn.then(work);
    turn = done.catch(failed);
    return done;
  };

  /** By when which transaction was the oldest that was running: all changes of earlier ones had been committed. */
  const horizons: { at: number; oldest: string }[] = [];
  const noteHorizon = (oldest: string) => {
    const [former, last] = horizons.slice(-2);
    if (former && last && last.at - former.at < BETWEEN_HORIZONS_MS) horizons.pop();
    horizons.push({ at: performance.now(), oldest });
    if (horizons.length > HORIZONS) horizons.shift();
  };

  let looked = Number.NEGATIVE_INFINITY;
  let rest: NodeJS.Timeout | undefined;
  const look = async () => {
    called = false;
    looked = performance.now();
    if (!hasListeners()) {
      horizon = undefined;
      passedOn = new Set();
      noteHorizon(await oldestRunning(db));
      await checkSessions();
    } else await readOn();
  };
  const readOn = async () => {
    const tables = new Set<number>();
    let next: string | undefined;
    for (let last = 0, more = true; more; ) {
      const { oldest, page } = await read(db, horizon ?? next, last);
      // Keeps the first page's horizon, because a later page's would skip changes.
      next ??= oldest;
      // Runs after the read, so that no change is sent to a session that ended before the change.
      await checkSessions();
      const fresh = page.filter(({ id }) => !passedOn.has(id));
      if (fresh.length > 0) await deliver(fresh);
      for (const { id, xact } of page) if (BigInt(xact) >= BigInt(next)) tables.add(id);
      last = page.at(-1)?.id ?? last;
      more = page.length === PAGE;
    }
    horizon = next;
    if (next !== undefined) noteHorizon(next);
    passedOn = tables;
  };
  // The first call reads at once; calls during the pause share the next read.
  const call = () => {
    if (called) return;
    called = true;
    const lookNow = () => void inTurn(look).catch(() => {});
    const wait = looked + PAUSE_MS - performance.now();
    if (wait > 0) rest = setTimeout(lookNow, wait);
    else lookNow();
  };
  const prune = () => {
    db.query("delete from realtime.changes where captured_at < now() - interval '1 ms' * $1", [KEPT_MS]).catch(failed);
  };

  const stopListening = await db.listen("realtime", call);
  const timers = [setInterval(call, POLL_MS).unref(), setInterval(prune, PRUNE_MS).unref()];
  // Simultaneous listeners share one read.
  let beginnings: (() => void)[] = [];
  let beginning: Promise<void> | undefined;
  const beginAll = async () => {
    const all = beginnings;
    beginnings = [];
    beginning = undefined;
    await look();
    if (horizon === undefined) await readOn();
    for (const begin of all) begin();
  };
  return {
    follow(begin) {
      beginnings.push(begin);
      beginning ??= inTurn(beginAll);
      return beginning;
    },
    async recent(ms, tables) {
      if (ms > KEPT_MS - LONGEST_TRANSACTION_MS) return undefined;
      const since = performance.now() - ms;
      const before = horizons.findLast(({ at }) => at <= since)?.oldest;
      const changes = await readRecent(db, ms + LONGEST_TRANSACTION_MS, before, tables);
      return changes.length > MOST_RECENT ? undefined : changes;
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await stopListening();
      clearTimeout(rest);
      await turn;
    },
  };
}

/** Resolves to a page of changes since the horizon, or since now, and to the oldest transaction that is running. */
async function read(db: Database, horizon: string | undefined, after: number) {
  const { rows } = await db.query<{ oldest: string } & ({ id: null } | (Change & { xact: string }))>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, c.* from (select) one left join lateral (
       select id, schema_name as schema, table_name as table, type, key, old_record as old, captured_at as at, xact::text
       from realtime.changes where xact >= coalesce($1::text::xid8, pg_snapshot_xmin(pg_current_snapshot())) and id > $2
       order by id limit ${PAGE}) c on true order by id`,
    [horizon ?? null, after],
  );
  return { oldest: rows[0]?.oldest ?? "0", page: rows.filter((row) => row.id !== null) };
}

const oldestRunning = async (db: Database) =>
  (await db.query<{ oldest: string }>("select pg_snapshot_xmin(pg_current_snapshot())::text as oldest")).rows[0]
    ?.oldest ?? "0";

/** Resolves to changes of these tables that were recorded within this time, by transactions from a horizon on. */
async function readRecent(db: Database, ms: number, horizon: string | undefined, tables: readonly string[]) {
  const { rows } = await db.query<Change>(
    `select id, schema_name as schema, table_name as table, type, key, old_record as old, captured_at as at
     from realtime.changes
     where captured_at > now() - interval '1 ms' * $1 and xact >= coalesce($2::text::xid8, '0') and table_name = any ($3)
     order by id limit ${MOST_RECENT + 1}`,
    [ms, horizon ?? null, tables],
  );
  return rows;
}
