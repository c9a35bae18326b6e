import { rememberedBuckets } from "../supabase/storage/buckets.ts";
import { openResumable } from "../supabase/storage/open-resumable.ts";
import {
  finishUploads,
  removeDiscarded,
  removeOldUploads,
  removeStrays,
  type SweepDeps,
} from "../supabase/storage/sweep.ts";
import type { Job } from "./worker.ts";

type Deps = Omit<SweepDeps, "resumable">;

/** Completes uploads that a killed process left, then removes the bytes of removed objects and abandoned uploads. */
export function sweepJob({ db, files, log }: Deps): Job {
  const deps = { db, files, log, resumable: openResumable({ db, files, buckets: rememberedBuckets(db) }) };
  return {
    name: "storage-sweep",
    channel: "storage_discarded",
    interval: 10 * 60 * 1000,
    prepare: () => finishUploads(deps),
    async run() {
      await removeDiscarded(deps);
      await removeOldUploads(deps);
      return undefined;
    },
  };
}

/** Removes bytes without a row. Looking for them lists every stored file. Tests choose the clock. */
export const strayBytesJob = ({ db, files }: Pick<Deps, "db" | "files">, now = Date.now): Job => ({
  name: "stray-bytes",
  interval: 60 * 60 * 1000,
  async run() {
    await removeStrays({ db, files }, now());
    return undefined;
  },
});
