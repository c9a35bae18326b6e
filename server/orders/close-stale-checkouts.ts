import { RequestError } from "../../shared/request-error.ts";
import { applyPayment, type PaymentDeps } from "./apply-payment.ts";
import { OPENED, type Opened, openPage } from "./payment-page.ts";

/** An order whose page closes sooner is not shown again. */
export const FRESH = "now() + interval '45 minutes'";

/** What somebody is about to pay: by whom, what exactly, and which lines of their cart. */
interface Wanted {
  buyerId: string;
  fingerprint: string;
  cartItems: string[];
}

interface Before extends Opened {
  pending: boolean;
  /** Whether it is this very purchase, and then whether its page may be shown again. */
  same: boolean;
  fresh: boolean;
  /** Whether lines of the cart that are wanted now are in it. */
  shared: boolean;
}

/**
 * Closes the pages that a buyer left open for something else. Resolves to the order by which this very purchase is paid
 * already, or for which a bank still has the money in hand, which may take days; refuses one of which lines are.
 */
export async function closeStaleCheckouts(deps: PaymentDeps, wanted: Wanted): Promise<Opened | undefined> {
  const { rows } = await deps.db.query<Before>(
    `select ${OPENED}, status = 'pending' as pending, fingerprint = $2 as same, fingerprint = $2 and expires_at > ${FRESH} as fresh, shared
     from orders o, lateral (select exists (
       select from order_items i where i.order_id = o.id and i.cart_item_id = any ($3::uuid[])) as shared) s
     where user_id = $1 and (status = 'pending' or (status in ('paid', 'disputed') and shared)) order by created_at`,
    [wanted.buyerId, wanted.fingerprint, wanted.cartItems],
  );
  const inHand: Before[] = [];
  for (const order of rows) if (!order.pending || (await isInHand(deps, order))) inHand.push(order);
  const same = inHand.find((order) => order.same);
  if (!same && inHand.some((order) => order.shared)) {
    throw new RequestError("payment_under_way");
  }
  return same;
}

/** Whether a pending order is paid, or will be once a bank says so; what can still be closed is, unless it is to be shown again. */
async function isInHand(deps: PaymentDeps, order: Before): Promise<boolean> {
  if (order.fresh && !order.session_id) return false;
  const page = await openPage(deps, order).catch(() => undefined);
  if (!page) {
    // No page was ever made for it, and now none can be.
    await deps.db.query(
      "update orders set status = 'expired' where id = $1 and status = 'pending' and session_id is null",
      [order.id],
    );
    return false;
  }
  if (!order.fresh) await deps.payments.closeSession(page.id);
  else if ((await deps.payments.facts(page.id))?.state === "open") return false;
  const applied = await applyPayment(deps, page.id);
  return applied !== undefined && ["pending", "paid", "disputed"].includes(applied.to);
}
