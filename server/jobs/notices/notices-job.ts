import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import type { Gateways } from "../outbox-delivery.ts";
import type { Job } from "../worker.ts";
import { enqueueDueEmails } from "./mailing.ts";
import { enqueueDuePushes } from "./pushing.ts";
import { remind } from "./reminding.ts";

/** The delay before a run, so that notices that arrive together are processed together. */
const TOGETHER_MS = 500;

/** Creates the reminders, and enqueues the emails and the messages to devices that are due at `now`. */
export async function tellPeople(db: Database, now: Date, { byEmail = true } = {}): Promise<void> {
  await remind(db, now);
  if (byEmail) await enqueueDueEmails(db, now);
  await enqueueDuePushes(db, now);
}

/** Creates reminders and enqueues messages, each minute and when notices arrive. */
export const noticesJob = ({ db, gateways }: { db: Database; gateways: Pick<Gateways, "mail"> }): Job => ({
  name: "notices",
  channel: "notices",
  // Morning emails are punctual to the minute.
  interval: 60_000,
  async run({ requested }) {
    await delay(TOGETHER_MS, undefined, { ref: false, signal: requested }).catch(() => {});
    if (!requested.aborted) await tellPeople(db, new Date(), { byEmail: gateways.mail !== undefined });
    return undefined;
  },
});
