import type { Job } from "../jobs/worker.ts";
import { applyPayment, type PaymentDeps } from "./apply-payment.ts";

interface AccountlessDeps extends PaymentDeps {
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

const HOUR_MS = 3_600_000;
/** The pause before the provider is asked again after an error. */
const RETRY_MS = 60_000;

/**
 * Closes the open payment pages of deleted accounts, and refunds what was paid afterwards and cards that will not be
 * made. Every step can be repeated, also by several processes at once.
 */
export const ordersWithoutAccountJob = (deps: AccountlessDeps): Job => ({
  name: "payments-without-account",
  channel: "orders_without_account",
  interval: HOUR_MS,
  async run({ requested }) {
    const steps = [...(await openPages(deps)), ...(await openRefunds(deps))];
    let failed = false;
    for (const step of steps) {
      if (requested.aborted) return undefined;
      // One order that fails does not delay the others.
      await step().catch((error: unknown) => {
        failed = true;
        deps.log.error({ err: error }, "A payment of a deleted account could not be closed or refunded yet");
      });
    }
    return failed ? RETRY_MS : undefined;
  },
});

type Step = () => Promise<void>;

/** The open payment pages. A bank may still confirm or refuse a completed one, which is then no longer open. */
async function openPages(deps: AccountlessDeps): Promise<Step[]> {
  const { db, payments } = deps;
  const { rows } = await db.query<{ id: string; session_id: string }>(
    "select id, session_id from orders where user_id is null and status = 'pending' and session_url is not null",
  );
  return rows.map(({ id, session_id }) => async () => {
    await payments.closeSession(session_id);
    await applyPayment(deps, session_id);
    await db.query("update orders set session_url = null where id = $1", [id]);
  });
}

async function openRefunds({ db, payments, log }: AccountlessDeps): Promise<Step[]> {
  // Also of a refunded order: a process may have ended between the refund and its record.
  const { rows } = await db.query<{ id: string; number: string; amount: number; intent: string }>(
    `select r.id, o.number, r.amount, o.payment_intent as intent from refunds r join orders o on o.id = r.order_id
     where r.automatic and r.state = 'asked' and o.status in ('paid', 'refunded') and o.payment_intent is not null
     order by r.created_at`,
  );
  return rows.map(({ number, ...refund }) => async () => {
    const answer = await payments.refund(refund);
    if ("refused" in answer) {
      log.warn(
        { order: number, reason: answer.refused },
        "The provider refused to refund a payment of a deleted account",
      );
    }
    await db.query(
      "update refunds set state = $2, provider_id = $3, settled_at = now() where id = $1 and state = 'asked'",
      [refund.id, "made" in answer ? "done" : "refused", "made" in answer ? answer.made : null],
    );
  });
}
