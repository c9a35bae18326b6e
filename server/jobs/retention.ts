import type { Database } from "../database/database.ts";
import type { Job } from "./worker.ts";

/** Forgets what nobody needs to know any more. */
export const retentionJob = ({ db }: { db: Database }): Job => ({
  name: "retention",
  interval: 3_600_000,
  async run() {
    await db.query("delete from share_openings where opened_at < now() - interval '180 days'");
    await db.query("delete from notices where created_at < now() - interval '180 days'");
    return undefined;
  },
});
