import type { Database } from "../../database/database.ts";

/** A change of one row. */
export interface Change {
  id: number;
  schema: string;
  table: string;
  type: "INSERT" | "UPDATE" | "DELETE";
  /** The primary key by column. */
  key: Record<string, unknown>;
  /** The whole row, where it was deleted. */
  old: Record<string, unknown> | null;
  at: Date;
}

export interface Feed {
  /** Calls `begin` when all earlier changes have been passed on; every change that commits from then on will be. */
  follow(begin: () => void): Promise<void>;
  stop(): Promise<void>;
}

interface Deps {
  db: Database;
  /** Whether anybody listens; while nobody does, changes are not read. */
  wanted(): boolean;
  deliver(changes: Change[]): Promise<void>;
  failed(error: unknown): void;
}

const PAGE = 500;
/** Should a call to come and read be lost, as when a connection dies unnoticed. */
const LOOK_AGAIN_MS = 15_000;
const PRUNE_MS = 60_000;

/**
 * Reads `realtime.changes` whenever the database calls. What is new is told by transactions, not by ids: all that
 * committed since the last look belong to transactions that still ran then or began later.
 */
export async function openFeed({ db, wanted, deliver, failed }: Deps): Promise<Feed> {
  /** The oldest transaction that was still running at the last look; undefined while nobody listens. */
  let horizon: string | undefined;
  /** What was already passed on of the transactions from the horizon on. */
  let passedOn = new Set<number>();
  let called = false;
  let turn: Promise<void> = Promise.resolve();
  /** One after the other: a look, a beginning, the end. */
  const inTurn = (work: () => Promise<void>) => {
    const done = turn.then(work);
    turn = done.catch(failed);
    return done;
  };

  const look = async () => {
    called = false;
    if (!wanted()) {
      horizon = undefined;
      passedOn = new Set();
    } else await readOn();
  };
  const readOn = async () => {
    const next = await oldestRunning(db);
    const known = new Set<number>();
    for (let last = 0, more = true; more; ) {
      const page = await read(db, horizon ?? next, last);
      const fresh = page.filter(({ id }) => !passedOn.has(id));
      if (fresh.length > 0) await deliver(fresh);
      for (const { id, xact } of page) if (BigInt(xact) >= BigInt(next)) known.add(id);
      last = page.at(-1)?.id ?? last;
      more = page.length === PAGE;
    }
    horizon = next;
    passedOn = known;
  };
  // A burst of calls is answered by one look.
  const call = () => {
    if (called) return;
    called = true;
    inTurn(look).catch(() => {});
  };
  const prune = () => {
    db.query("delete from realtime.changes where captured_at < now() - interval '5 minutes'").catch(failed);
  };

  const stopListening = await db.listen("realtime", call);
  const timers = [setInterval(call, LOOK_AGAIN_MS).unref(), setInterval(prune, PRUNE_MS).unref()];
  return {
    follow: (begin) =>
      inTurn(async () => {
        await look();
        if (horizon === undefined) await readOn();
        begin();
      }),
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await stopListening();
      await turn;
    },
  };
}

async function oldestRunning(db: Database): Promise<string> {
  const { rows } = await db.query<{ xact: string }>("select pg_snapshot_xmin(pg_current_snapshot())::text as xact");
  return rows[0]?.xact ?? "0";
}

async function read(db: Database, horizon: string, after: number): Promise<(Change & { xact: string })[]> {
  const { rows } = await db.query<Change & { xact: string }>(
    `select id, schema_name as schema, table_name as table, type, key, old_record as old, captured_at as at, xact::text
     from realtime.changes where xact >= $1::text::xid8 and id > $2 order by id limit ${PAGE}`,
    [horizon, after],
  );
  return rows;
}
