import type { Job } from "../jobs/worker.ts";
import { type AppliedPayment, applyPayment, type PaymentDeps } from "./apply-payment.ts";

interface ReconcileDeps extends PaymentDeps {
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

const DAY_MS = 86_400_000;
/** The hour in UTC, at which few people buy. */
const HOUR_OF_NIGHT = 3;
/** The delay after the start, so that loading the provider's client does not delay the first responses. */
const SOON_MS = 1000;
/** How far back payments are compared: longer than the provider repeats an event. */
const LOOK_BACK_MS = 4 * DAY_MS;

/**
 * Compares orders with the provider's payments and corrects differences: pending orders older than an hour, and all
 * with a payment, refund or dispute in the last days. Resolves to the corrections.
 */
export async function reconcile(deps: ReconcileDeps, now = new Date()): Promise<AppliedPayment[]> {
  const { db, payments, log } = deps;
  const mended: AppliedPayment[] = [];
  const checkedSessions = new Set<string>();
  const compare = async (session: string | undefined) => {
    if (!session || checkedSessions.has(session)) return;
    checkedSessions.add(session);
    const applied = await applyPayment(deps, session).catch((error: unknown) =>
      log.error({ err: error, session }, "A payment could not be compared with its order"),
    );
    if (!applied?.changed) return;
    mended.push(applied);
    const { number, from, to } = applied;
    log.warn({ order: number, from, to }, "An order was mended by what the payment provider says");
  };

  const { rows } = await db.query<{ session_id: string }>(
    `select session_id from orders where status = 'pending' and session_id is not null
       and created_at < $1::timestamptz - interval '1 hour' order by created_at`,
    [now],
  );
  for (const { session_id } of rows) await compare(session_id);
  const since = new Date(now.getTime() - LOOK_BACK_MS);
  for await (const { session } of payments.sessionsSince(since)) await compare(session);
  for await (const intent of payments.intentsTouchedSince(since)) await compare(await payments.sessionOf(intent));

  // Nobody can pay these orders any more: they have no payment page, or the provider does not know it.
  const over = await db.query<{ number: string }>(
    `update orders set status = 'expired'
     where status = 'pending' and expires_at < $1::timestamptz - interval '1 day' and payment_intent is null
     returning number`,
    [now],
  );
  for (const { number } of over.rows) log.warn({ order: number }, "An order that nobody can pay any more was closed");
  return mended;
}

/** Reconciles shortly after the start, because events may have been missed, and every night. */
export const reconcileJob = (deps: ReconcileDeps): Job => ({
  name: "payments",
  delay: SOON_MS,
  interval: () => untilNight(new Date()),
  async run() {
    await reconcile(deps);
    return undefined;
  },
});

function untilNight(now: Date): number {
  const next = new Date(now);
  next.setUTCHours(HOUR_OF_NIGHT, 0, 0, 0);
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1);
  return next.getTime() - now.getTime();
}
