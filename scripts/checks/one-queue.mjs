import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

/** The module that claims, renews, pauses and ends work. */
const QUEUE = "server/jobs/queue.ts";

/** Other modules of the server that lock or lease rows, with why these are no items of work. */
export const OTHERS = {
  "server/jobs/outbox-job.ts": "messages stay for a month, and have twelve attempts over a day",
  "server/jobs/one-process.ts": "a lease on a whole job",
  "server/jobs/notices/mailing.ts": "locks until the end of one transaction",
  "server/jobs/notices/pushing.ts": "locks until the end of one transaction",
  "server/jobs/notices/unsent-notices.ts": "locks until the end of one transaction",
  "server/jobs/notices/reminding.ts": "reminders return each year",
  "server/jobs/jobs.ts": "ends the claims of killed processes",
  "server/jobs/video/playback-job.ts": "removes work that nobody can do without ffmpeg",
};

/** A claim in TypeScript: rows that other processes skip, a lease that is renewed, or the queue's own table. */
const CLAIMS = /\bskip locked\b|\brenewing\(|\bprivate\.work\b/i;
/** A table of claims: attempts beside a time at which they end or begin again. */
const CLAIM_TABLE =
  /create table (?!private\.work\b)[\w.]+ \([^;]*\battempts\b[^;]*\b(until|due_at|next_attempt_at|claim)\b[^;]*\);/i;
/** The last migration with a queue of its own. */
const LAST_QUEUE = "0201";

/**
 * The reason why a file may not claim work itself; undefined if it does not, or may.
 * @param {string} path
 * @param {string} text
 */
export function forbiddenClaim(path, text) {
  if (path.endsWith(".sql")) {
    const [number = ""] = path.split("/").at(-1)?.split("_") ?? [];
    if (number <= LAST_QUEUE || !CLAIM_TABLE.test(text)) return undefined;
    return "it makes a queue of its own: enqueue rows of private.work with the trigger function private.enqueue_work";
  }
  if (path === QUEUE || path === "server/jobs/claims.ts" || path in OTHERS || !CLAIMS.test(text)) return undefined;
  return `it claims work itself: describe the work to queueJob of ${QUEUE}, or list it in scripts/checks/one-queue.mjs`;
}

/** Checks that work is claimed in one module only. */
export async function oneQueue() {
  const paths = [...sources(/(?<!\.test)\.ts$/, "server"), ...sources(/\.sql$/, "db/migrations")];
  const wrong = await Promise.all(
    paths.map(async (path) => {
      const reason = forbiddenClaim(path, await readFile(join(root, path), "utf8"));
      return reason ? [`  ${path}: ${reason}`] : [];
    }),
  );
  return { wrong: wrong.flat().join("\n") };
}
