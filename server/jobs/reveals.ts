import type { Database } from "../database/database.ts";
import type { Job } from "./worker.ts";

/** Notifies the members of memories whose contributions were revealed by `now`. */
export async function announceReveals(db: Database, now: Date): Promise<void> {
  await db.query("select private.announce_reveals($1)", [now]);
}

/** Notifies members after a reveal. The row policies reveal by themselves, at the very moment. */
export const revealsJob = ({ db }: { db: Database }): Job => ({
  name: "reveals",
  interval: 15_000,
  async run() {
    await announceReveals(db, new Date());
  },
});
