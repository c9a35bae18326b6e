import { expect, test } from "vitest";
import { forbiddenClaim, oneQueue } from "./one-queue.mjs";

test("the check refuses a module or migration that claims work on its own", async () => {
  for (const text of [
    '"select id from media where state = $1 limit 1 for update skip locked"',
    '"select c.id from private.claims c FOR UPDATE OF c SKIP LOCKED"',
    "await renewing(() => renew(claim), work);",
    '"update private.work set due_at = now()"',
  ]) {
    expect(forbiddenClaim("server/jobs/new-job.ts", text), text).toBeDefined();
  }
  expect(forbiddenClaim("server/jobs/new-job.ts", "queueJob(deps, work)")).toBeUndefined();
  const table =
    "create table private.scan_claims (\n  id uuid primary key,\n  attempts integer,\n  until timestamptz\n);";
  expect(forbiddenClaim("db/migrations/0300_scans.sql", table)).toBeDefined();
  expect(
    forbiddenClaim("db/migrations/0300_scans.sql", "create table scans (id uuid, attempts integer);"),
  ).toBeUndefined();
  expect((await oneQueue()).wrong).toBe("");
});
