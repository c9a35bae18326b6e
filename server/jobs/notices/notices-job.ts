import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import type { Job } from "../worker.ts";
import { enqueueDueEmails } from "./mailing.ts";
import { remind } from "./reminding.ts";

/** Many notices that come together are worked through together. */
const TOGETHER_MS = 500;

/** One round of everything that is due at `now`. */
export async function tellPeople(db: Database, now: Date): Promise<void> {
  await remind(db, now);
  await enqueueDueEmails(db, now);
}

/** Reminds and writes letters, each minute and as notices come. */
export const noticesJob = ({ db }: { db: Database }): Job => ({
  name: "notices",
  channel: "notices",
  // Mornings are kept to the minute.
  interval: 60_000,
  async run({ requested }) {
    await delay(TOGETHER_MS, undefined, { ref: false, signal: requested }).catch(() => {});
    if (!requested.aborted) await tellPeople(db, new Date());
    return undefined;
  },
});
