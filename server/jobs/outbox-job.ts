import { nextDue, type OutboxDeps, prune, sendDue } from "./outbox-sender.ts";
import type { Job } from "./worker.ts";

/** Sends what waits now, what comes due, and each new message as it is enqueued. */
export const outboxJob = (deps: OutboxDeps): Job => ({
  name: "outbox",
  channel: "outbox",
  // The longest it sleeps: it prunes as often, and finds what a lost notification was about.
  interval: 3_600_000,
  async run(stop) {
    await sendDue(deps, stop);
    await prune(deps);
    return nextDue(deps);
  },
});
