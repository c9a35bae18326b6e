import type { TestProject } from "vitest/node";
import { startTestPostgres } from "./postgres.ts";

/** The run's PostgreSQL and the number of projects that use it: the test runner calls this file once for each. */
interface Run {
  postgres?: ReturnType<typeof startTestPostgres>;
  users: number;
}

const shared = globalThis as { skiesTestRun?: Run };
shared.skiesTestRun ??= { users: 0 };
const run = shared.skiesTestRun;

/** One PostgreSQL for the whole run, migrated once; each test file starts from a copy. */
export default async function setup(project: TestProject) {
  run.users += 1;
  run.postgres ??= startTestPostgres();
  const { url, superuserUrl, close } = await run.postgres;
  project.provide("postgresUrl", url);
  project.provide("superuserUrl", superuserUrl);
  return async () => {
    run.users -= 1;
    if (run.users === 0) await close();
  };
}
