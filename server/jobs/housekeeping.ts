import { hostname } from "node:os";
import type { Database } from "../database/database.ts";
import type { RefusalCount } from "../limits/count-refusals.ts";
import { clearAway } from "../supabase/auth/retention.ts";
import type { Keyring } from "../supabase/sealed.ts";
import { openSigningKeys } from "../supabase/signing-keys.ts";
import { cachedBuckets } from "../supabase/storage/cached-lookups.ts";
import { openResumable } from "../supabase/storage/open-resumable.ts";
import { discardStrays, forgetCachedCopies, removeDiscarded } from "../supabase/storage/remove-bytes.ts";
import { finishUploads, removeOldUploads, type SweepDeps } from "../supabase/storage/sweep.ts";
import type { Job, JobState } from "./worker.ts";

export const HOUR_MS = 3_600_000;

/** Computes the figures of the desk's overview, so that requests only read them. */
export const figuresJob = ({ db }: { db: Database }): Job => ({
  name: "figures",
  interval: 5 * 60_000,
  async run() {
    await db.query("select private.count_figures()");
    return undefined;
  },
});

/** The name of this process in the database. */
const PROCESS = `${hostname()}:${process.pid}`;

/** Stores the job states of this process, and its number of rate-limited requests. */
export const processReportJob = ({
  db,
  states,
  refusals,
}: {
  db: Database;
  states: () => JobState[];
  refusals: RefusalCount;
}): Job => ({
  name: "process-report",
  interval: 15_000,
  async run() {
    const refused = refusals.take();
    await db
      .query("select private.report_process($1, $2, $3)", [PROCESS, JSON.stringify(states()), JSON.stringify(refused)])
      .catch((error: unknown) => {
        refusals.putBack(refused);
        throw error;
      });
    return undefined;
  },
});

/** The active time of a signing key, in seconds. */
const KEY_LIFE = 90 * 86_400;

/** Deletes expired rows. */
export const retentionJob = ({ db }: { db: Database }): Job => ({
  name: "retention",
  interval: HOUR_MS,
  async run() {
    await db.query("delete from share_openings where opened_at < now() - interval '180 days'");
    await db.query("delete from link_devices where last_seen < now() - interval '400 days'");
    await db.query("delete from notices where created_at < now() - interval '180 days'");
    // The law requires keeping sales, but not the unpaid orders of a deleted account.
    await db.query(
      "delete from orders where user_id is null and status in ('failed', 'expired') and expires_at < now()",
    );
    // Uploaded covers that no saved post uses. A draft on a device may need its cover for weeks.
    await db.query(
      `delete from storage.objects o where o.bucket_id = 'covers' and o.created_at < now() - interval '30 days'
         and not exists (select from blog_posts p where p.cover = o.name)
         and not exists (select from blog_revisions r where r.cover = o.name)`,
    );
    await db.query("select private.purge_people()");
    // Files of earlier builds of the web app, which pages that are still open load.
    await db.query("delete from private.web_files where left_at < now() - interval '30 days'");
    await clearAway(db);
    return undefined;
  },
});

/** Rotates the signing key (sealed under `sealingSecret`) when it is old enough. */
export const keyRotationJob = ({ db, sealingSecret }: { db: Database; sealingSecret: Keyring }): Job => ({
  name: "key-rotation",
  interval: HOUR_MS,
  async run() {
    const keys = await openSigningKeys(db, sealingSecret);
    await keys.rotate(KEY_LIFE);
    return undefined;
  },
});

/** The maximum number of items in a transaction. */
const BATCH = 100;

/**
 * Permanently deletes items that were trashed 30 days ago. A process claims a batch by locking its rows, so several can
 * work at once, and a killed one leaves no item half deleted.
 */
export const purgeTrashJob = ({ db }: { db: Database }): Job => ({
  name: "trash",
  interval: HOUR_MS,
  async run({ requested }) {
    while (!requested.aborted && (await purgeBatch(db)) === BATCH);
    return undefined;
  },
});

/** Permanently deletes one batch; resolves to the number of items. */
async function purgeBatch(db: Database): Promise<number> {
  const { rows } = await db.query<{ many: number }>("select private.purge_trash($1) as many", [BATCH]);
  return rows[0]?.many ?? 0;
}

type Deps = Omit<SweepDeps, "resumable">;

/** Completes uploads that a killed process left, then removes bytes that nothing names. Tests choose the clock. */
export function sweepJob({ db, files, log }: Deps, now = Date.now): Job {
  const deps = { db, files, log, resumable: openResumable({ db, files, buckets: cachedBuckets(db) }) };
  return {
    name: "storage-sweep",
    channel: "storage_discarded",
    interval: HOUR_MS / 6,
    prepare: () => finishUploads(deps),
    async run() {
      await removeOldUploads(deps, now());
      await removeDiscarded(deps, now());
      await forgetCachedCopies(deps);
      return undefined;
    },
  };
}

/** Finds bytes without a row, which requires listing all stored files. Tests choose the clock. */
export const strayBytesJob = ({ db, files }: Pick<Deps, "db" | "files">, now = Date.now): Job => ({
  name: "stray-bytes",
  interval: HOUR_MS,
  async run() {
    await discardStrays({ db, files }, now());
    return undefined;
  },
});
