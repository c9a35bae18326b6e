import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import type { Job } from "../worker.ts";
import { enqueueDueEmails } from "./mailing.ts";
import { remind } from "./reminding.ts";

/** The delay before a run, so that notices that arrive together are processed together. */
const TOGETHER_MS = 500;

/** Creates the reminders and enqueues the emails that are due at `now`. */
export async function tellPeople(db: Database, now: Date): Promise<void> {
  await remind(db, now);
  await enqueueDueEmails(db, now);
}

/** Creates reminders and enqueues emails, each minute and when notices arrive. */
export const noticesJob = ({ db }: { db: Database }): Job => ({
  name: "notices",
  channel: "notices",
  // Morning emails are punctual to the minute.
  interval: 60_000,
  async run({ requested }) {
    await delay(TOGETHER_MS, undefined, { ref: false, signal: requested }).catch(() => {});
    if (!requested.aborted) await tellPeople(db, new Date());
    return undefined;
  },
});
