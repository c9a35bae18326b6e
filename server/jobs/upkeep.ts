import type { Database } from "../database/database.ts";

const PERIOD_MS = 3_600_000;

interface UpkeepDeps {
  db: Database;
  log: { error(error: unknown, message?: string): void };
}

/** Forgets what nobody needs to know any more, now and every hour; resolves to a function that ends it. */
export async function startUpkeep({ db, log }: UpkeepDeps): Promise<() => Promise<void>> {
  let running = Promise.resolve();
  const work = () => {
    running = running
      .then(async () => {
        await db.query("delete from share_openings where opened_at < now() - interval '180 days'");
        await db.query("delete from notices where created_at < now() - interval '180 days'");
      })
      .catch((error: unknown) => log.error({ err: error }, "What is old could not be forgotten"));
  };
  work();
  const timer = setInterval(work, PERIOD_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
