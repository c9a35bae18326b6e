import { againAfterDeadlock, type Database, type Transaction } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import { MissingBytesError } from "../files/object-store.ts";
import { CLAIM_SECONDS, RECHECK_MS, renewing } from "./claims.ts";
import { CRASHED, countFailure, type FileJob } from "./file-failures.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";
import { type Job, workOff } from "./worker.ts";

/** An item whose process ended during so many attempts is not tried again. */
const MAX_ATTEMPTS = 3;
/** An item up to this length, e.g. of a video, is short. */
const SHORT_SECONDS = 60;

/** A kind of work in `private.work`, which is also the name of its job, and how its failures are counted. */
type Kind =
  /** Work on a file: the failures of each file are counted, and shown at the desk. */
  | { kind: Exclude<FileJob, "covers">; pauseSeconds?: undefined }
  /** Other work has three attempts, with this pause. */
  | { kind: string; pauseSeconds: number };

/** Stores a result, in the transaction that ends or pauses a claim. */
type Store = (tx: Transaction) => Promise<unknown>;

/** An item during an attempt. */
export interface Item {
  /** The id of what the work is about, e.g. a photo. */
  subject: string;
  /** Aborted when the worker stops, or when the claim has ended. */
  signal: AbortSignal;
  /**
   * Ends the work, together with the statements of `store`. Resolves to false, and stores nothing, if the claim has
   * ended, e.g. because the item was deleted or another process has it.
   */
  end(store: Store): Promise<boolean>;
  /** Aborts `signal`, because the work turned out to be unneeded. */
  leave(): void;
}

/** A kind of work: what a job does with each of its items. A trigger enqueues an item when its state says `waiting`. */
export type Work<Source> = Kind & {
  /** The maximum number of parallel items in a process. */
  concurrency?: number;
  /** Short items come first, but nobody waits longer than the own length for them. */
  shortestFirst?: { longAtOnce: number };
  /** Reads what the work needs; undefined if there is nothing to do any more. */
  load(subject: string): Promise<Source | undefined>;
  /** Does the work, and resolves to the result of `item.end`. */
  run(source: Source, item: Item): Promise<boolean>;
  /** Whether another attempt would fail too. */
  isFinal(error: unknown): boolean;
  /** What the desk shows instead of this error. */
  reasonOf?(error: unknown): unknown;
  /** Resolves to the statements that say in its row that the item was given up. */
  giveUp(source: Source, failure: { subject: string; error: unknown; signal: AbortSignal }): Store | Promise<Store>;
  /** The statements that say in its row that the item waits for another attempt. */
  pause?(subject: string): Store;
};

export interface QueueDeps {
  db: Database;
  files: Pick<Files, "activeUploads">;
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

interface Claim {
  subject: string;
  claim: string;
  attempts: number;
  seconds: number;
}

/** A job that works off one kind of work, item by item. */
export function queueJob<Source>(deps: QueueDeps, work: Work<Source>): Job {
  const claims = claimsOf(deps.db, work);
  return {
    name: work.kind,
    channel: "work",
    payload: work.kind,
    interval: RECHECK_MS,
    concurrency: work.concurrency ?? 1,
    async run(stop) {
      const next = async () => {
        // Active uploads take precedence.
        await waitUntilIdle(deps.files.activeUploads);
        return stop.requested.aborted ? undefined : claims.next();
      };
      await workOff(stop, next, (claim) =>
        renewing(
          () => claims.renew(claim),
          ({ lost }) => attempt({ ...deps, claims }, work, claim, { requested: stop.requested, lost }),
        ).finally(() => claims.leave(claim)),
      );
      return undefined;
    },
  };
}

/** Does an item once: ends it, pauses it, or gives it up. */
async function attempt<Source>(
  { db, log, claims }: QueueDeps & { claims: Claims },
  work: Work<Source>,
  claim: Claim,
  { requested, lost }: { requested: AbortSignal; lost: AbortSignal },
): Promise<void> {
  const { kind } = work;
  const { subject, attempts } = claim;
  const source = await work.load(subject);
  if (!source) return void (await claims.end(claim));
  const lapsed = new AbortController();
  const signal = AbortSignal.any([requested, lost, lapsed.signal]);
  try {
    if (attempts > MAX_ATTEMPTS) throw CRASHED;
    await work.run(source, {
      subject,
      signal,
      end: (store) => claims.end(claim, store, "succeeded"),
      leave: () => lapsed.abort(new Error("The work is not needed any more")),
    });
  } catch (error) {
    // The row was deleted, or is about to be.
    if (lost.aborted || lapsed.signal.aborted || error instanceof MissingBytesError) return;
    if (requested.aborted) return claims.pause(claim, { counts: false });
    const isFinal = error === CRASHED || work.isFinal(error);
    if (isFinal) log.warn({ kind, subject, attempts, reason: String(error) }, "Work failed for good");
    else log.error(error, `Work failed: ${kind}`);
    if (work.pauseSeconds === undefined) {
      const reason = work.reasonOf?.(error) ?? error;
      const seconds = await countFailure(db, { job: work.kind, id: subject, error: reason, isFinal });
      if (seconds !== undefined) return claims.pause(claim, { seconds, counts: false });
    } else if (!isFinal && attempts < MAX_ATTEMPTS) {
      return claims.pause(claim, { seconds: work.pauseSeconds, counts: true });
    }
    await claims.end(claim, await work.giveUp(source, { subject, error, signal }));
  }
}

type Claims = ReturnType<typeof claimsOf>;

/** The claims on one kind of work, in the database that all processes share. */
function claimsOf(
  db: Database,
  { kind, shortestFirst, pause }: Pick<Work<unknown>, "kind" | "shortestFirst" | "pause">,
) {
  let longItems = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const isLong = ({ seconds }: Claim) => shortestFirst !== undefined && seconds > SHORT_SECONDS;
  const order = shortestFirst ? "due_at + make_interval(secs => seconds)" : "due_at";

  /** Claims the item that has waited longest, for one process only. */
  async function claimNext(): Promise<Claim | undefined> {
    const takesLong = !shortestFirst || longItems < shortestFirst.longAtOnce;
    const { rows } = await db.query<Claim>(
      `with next as (
         select subject from private.work where kind = $1 and due_at <= now() and seconds <= $3
         order by ${order} limit 1 for update skip locked
       ) update private.work w set claim = gen_random_uuid(), attempts = w.attempts + 1,
           due_at = now() + make_interval(secs => $2)
         from next where w.kind = $1 and w.subject = next.subject
         returning w.subject, w.claim, w.attempts, w.seconds`,
      [kind, CLAIM_SECONDS, takesLong ? Number.MAX_SAFE_INTEGER : SHORT_SECONDS],
    );
    if (rows[0] && isLong(rows[0])) longItems += 1;
    return rows[0];
  }

  /** Runs `store` and a statement about the claim. Resolves to false and undoes both if the claim has ended. */
  async function whileHeld(claim: Claim, store: Store | undefined, text: string, values: unknown[]): Promise<boolean> {
    try {
      await againAfterDeadlock(() =>
        db.transaction(async (tx) => {
          // First, because triggers on the rows of items lock these before the work.
          await store?.(tx);
          const { changed } = await tx.query(text, [kind, claim.subject, claim.claim, ...values]);
          if (changed === 0) throw new ClaimEndedError();
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ClaimEndedError) return false;
      throw error;
    }
  }

  return {
    /** One claim after the other, so that only so many items of this process are long. */
    next(): Promise<Claim | undefined> {
      const claiming = turn.then(claimNext);
      turn = claiming.catch(() => undefined);
      return claiming;
    },
    leave(claim: Claim): void {
      if (isLong(claim)) longItems -= 1;
    },
    async renew({ subject, claim }: Claim): Promise<boolean> {
      const { changed } = await db.query(
        `update private.work set due_at = now() + make_interval(secs => $4)
         where kind = $1 and subject = $2 and claim = $3`,
        [kind, subject, claim, CLAIM_SECONDS],
      );
      return changed > 0;
    },
    /** Ends the work on an item. After a success its failures are forgotten. */
    end: (claim: Claim, store?: Store, result?: "succeeded"): Promise<boolean> =>
      whileHeld(
        claim,
        store,
        `with forgotten as (delete from private.file_failures where object_id = $2 and job = $1 and $4)
         delete from private.work where kind = $1 and subject = $2 and claim = $3`,
        [result === "succeeded"],
      ),
    /** Ends a claim for another attempt, after so many seconds or before all others. Whether this one counts. */
    async pause(claim: Claim, { seconds, counts }: { seconds?: number; counts: boolean }): Promise<void> {
      await whileHeld(
        claim,
        pause?.(claim.subject),
        `update private.work set due_at = coalesce(now() + make_interval(secs => $4), '-infinity'), claim = null,
           attempts = attempts - $5::integer
         where kind = $1 and subject = $2 and claim = $3`,
        [seconds ?? null, counts ? 0 : 1],
      );
    },
  };
}

class ClaimEndedError extends Error {}
