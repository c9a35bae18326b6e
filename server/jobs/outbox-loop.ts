import { nextDue, type OutboxDeps, prune, sendDue } from "./outbox-sender.ts";

/** The longest the outbox sleeps: it prunes as often, and finds what a lost notice was about. */
const LONGEST_SLEEP_MS = 3_600_000;
/** The shortest, so that a message in another's hands is not asked for without a pause. */
const SHORTEST_SLEEP_MS = 100;
/** After the database could not be reached. */
const TROUBLE_SLEEP_MS = 10_000;
/** What attempts under way get to end by themselves when the server stops. */
const GRACE_MS = 5_000;

/** Sends what waits now, what comes due, and each new message as it is owed. Resolves to a function that ends that. */
export async function startOutbox(deps: OutboxDeps): Promise<() => Promise<void>> {
  const abort = new AbortController();
  const stopping = { begun: false, signal: abort.signal };
  let round: Promise<void> | undefined;
  let again = false;
  let sleep: NodeJS.Timeout | undefined;

  const work = async () => {
    do {
      again = false;
      await sendDue(deps, stopping);
    } while (again && !stopping.begun);
    await prune(deps);
    return Math.min((await nextDue(deps)) ?? LONGEST_SLEEP_MS, LONGEST_SLEEP_MS);
  };
  const wake = () => {
    // A notice during a round may be of a message that the round has already looked past.
    again = true;
    if (round || stopping.begun) return;
    clearTimeout(sleep);
    round = work()
      .catch((error: unknown) => {
        deps.log.error({ err: error }, "The outbox could not be worked through");
        return TROUBLE_SLEEP_MS;
      })
      .then((wait) => {
        round = undefined;
        if (stopping.begun) return;
        if (again) return wake();
        sleep = setTimeout(wake, Math.max(wait, SHORTEST_SLEEP_MS)).unref();
      });
  };

  const unlisten = await deps.db.listen("outbox", wake);
  wake();
  return async () => {
    stopping.begun = true;
    clearTimeout(sleep);
    await unlisten();
    const grace = setTimeout(() => abort.abort(), GRACE_MS);
    await round;
    clearTimeout(grace);
  };
}
