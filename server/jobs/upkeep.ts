import type { JobDeps } from "./start.ts";

const PERIOD_MS = 3_600_000;

/** Forgets what nobody needs to know any more, now and every hour; resolves to a function that ends it. */
export async function startUpkeep({ db, log }: Pick<JobDeps, "db" | "log">): Promise<() => Promise<void>> {
  let running = Promise.resolve();
  const work = () => {
    running = running
      .then(async () => {
        await db.query("delete from share_openings where opened_at < now() - interval '180 days'");
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
