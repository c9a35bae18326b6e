import { createHash } from "node:crypto";
import { type Currency, isPayable, LEAST_PAYMENT, moneyText } from "../../shared/money.ts";
import { codeOf, RequestError } from "../../shared/request-error.ts";
import { type Database, isSqlError, type Transaction } from "../database/database.ts";
import { type AttemptLimiter, attemptLimiter } from "../supabase/attempt-limiter.ts";
import type { Limits } from "../supabase/auth/limits.ts";
import { applyPayment, type PaymentDeps } from "./apply-payment.ts";
import { type OrderLine, priceLinesOf, voucherBy, type WantedLine } from "./catalogue.ts";
import { lineName } from "./line-name.ts";

/** An order that has an open payment page, or gets one next. */
interface Opened {
  id: string;
  number: string;
  email: string;
  language: "en" | "it";
  currency: Currency;
  discount: number;
  voucher_code: string | null;
  success_url: string;
  cancel_url: string;
  session_id: string | null;
  session_url: string | null;
  expires_at: Date;
}
const OPENED = `id, number, email, language, currency, discount, voucher_code, success_url, cancel_url, session_id,
  session_url, expires_at`;

/** Returns the provider's page for an order; creates it if needed. Repeated calls return the same page. */
async function openPage({ db, payments }: PaymentDeps, order: Opened): Promise<{ id: string; url: string }> {
  if (order.session_id && order.session_url) return { id: order.session_id, url: order.session_url };
  const { rows: lines } = await db.query<{ id: string | null; name: string; quantity: number; unit_amount: number }>(
    "select product_id as id, terms ->> 'name' as name, quantity, unit_amount from order_items where order_id = $1 order by position",
    [order.id],
  );
  const plans = await db.query<{ cards: boolean }>(
    "select bool_or(kind = 'card' or (terms ->> 'included_cards')::integer > 0) as cards from order_items where order_id = $1",
    [order.id],
  );
  const { id, url } = await payments.openSession({
    orderId: order.id,
    number: order.number,
    email: order.email,
    language: order.language,
    currency: order.currency,
    lines: lines.map(({ quantity, unit_amount, ...line }) => ({
      name: lineName(order.language, line),
      quantity,
      unitAmount: unit_amount,
    })),
    discount: order.discount,
    discountName: order.voucher_code ?? DISCOUNT[order.language],
    posted: plans.rows[0]?.cards === true,
    successUrl: order.success_url,
    cancelUrl: order.cancel_url,
    expiresAt: order.expires_at,
  });
  if (!url) throw new RequestError("no_url");
  await db.query("update orders set session_id = $2, session_url = $3 where id = $1 and session_id is null", [
    order.id,
    id,
    url,
  ]);
  return { id, url };
}

const DISCOUNT = { en: "Discount", it: "Sconto" } as const;

/** Twenty wrong codes in ten minutes are enough for a typing mistake, and too few to find a code. */
export const voucherAttempts = (limits: Limits): AttemptLimiter =>
  attemptLimiter(limits, { secret: "voucher code", allowance: 20, seconds: 600 });

/** Whether an answer of `apply_voucher` means that the code was wrong. */
export const isWrongVoucher = (body: string): boolean => body.includes("Invalid voucher code");

interface Purchase {
  buyer: { id: string; email: string; language: "en" | "it" };
  lines: WantedLine[];
  currency: Currency;
  voucherCode: string | undefined;
  /** The code of the affiliate who gets the commission. */
  affiliateCode?: string | undefined;
  /** The payment's return address; the order's id is added. */
  successUrl: string;
  cancelUrl: string;
}

/**
 * Creates an order at the server's prices, and the provider's payment page. Repeating the purchase, as by a double
 * click, leads to the same page, or to the order's state if it is paid or a bank is processing it. Another purchase
 * closes the buyer's open payment pages, so that nobody pays twice and no voucher stays reserved.
 */
export async function checkOut(deps: PaymentDeps, purchase: Purchase): Promise<{ orderId: string; url: string }> {
  const { lines } = await deps.db.transaction((tx) => price(tx, purchase));
  const before = await closeStaleCheckouts(deps, {
    buyerId: purchase.buyer.id,
    fingerprint: fingerprintOf(purchase, lines),
    cartItems: purchase.lines.flatMap(({ cart_item_id }) => cart_item_id ?? []),
  });
  if (before) return { orderId: before.id, url: before.success_url };
  const order = await openOrder(deps.db, purchase);
  const { url } = await openPage(deps, order);
  return { orderId: order.id, url };
}

const fingerprintOf = (
  { buyer, currency, voucherCode, affiliateCode, successUrl, cancelUrl }: Purchase,
  lines: OrderLine[],
) =>
  createHash("sha256")
    .update(JSON.stringify([buyer, currency, voucherCode, affiliateCode, successUrl, cancelUrl, lines]))
    .digest("hex");

/** The current price, assuming a valid voucher; refuses amounts that no bank accepts. */
async function price(tx: Transaction, { lines: requestedLines, currency, voucherCode }: Purchase) {
  const voucher = voucherCode ? await voucherBy(tx, voucherCode) : undefined;
  const lines = await priceLinesOf(tx, requestedLines, currency, voucher);
  if (!isPayable(sumOf(lines, "total"), currency)) {
    const least = moneyText(LEAST_PAYMENT[currency], currency);
    throw new RequestError("total_too_small", { message: `The smallest amount that can be paid by card is ${least}.` });
  }
  return { voucher, lines };
}

const sumOf = (lines: readonly OrderLine[], what: "subtotal" | "discount" | "total") =>
  lines.reduce((sum, line) => sum + line[what], 0);

const openOrder = (db: Database, purchase: Purchase): Promise<Opened> =>
  db.transaction(async (tx) => {
    const { buyer, currency, voucherCode, affiliateCode, successUrl, cancelUrl } = purchase;
    // Serialises concurrent checkouts of one buyer, e.g. a double click.
    await tx.query("select pg_advisory_xact_lock(hashtextextended('checkout ' || $1, 0))", [buyer.id]);
    const { lines, voucher } = await price(tx, purchase);
    const fingerprint = fingerprintOf(purchase, lines);
    const before = await tx.query<Opened>(
      `select ${OPENED} from orders where user_id = $1 and fingerprint = $2 and status = 'pending' and expires_at > ${FRESH}
       order by created_at desc limit 1`,
      [buyer.id, fingerprint],
    );
    if (before.rows[0]) return before.rows[0];

    const { rows } = await tx.query<Opened>(
      `insert into orders (user_id, email, language, currency, subtotal, discount, total, voucher_code,
         discount_percentage, fingerprint, cancel_url, affiliate_code)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${OPENED}`,
      [
        buyer.id,
        buyer.email,
        buyer.language,
        currency,
        sumOf(lines, "subtotal"),
        sumOf(lines, "discount"),
        sumOf(lines, "total"),
        voucherCode ?? null,
        voucher?.percentage ?? null,
        fingerprint,
        cancelUrl,
        affiliateCode ?? null,
      ],
    );
    const [order] = rows;
    if (!order) throw new Error("The order was not kept");
    await tx.query("update orders set success_url = $2 where id = $1", [order.id, withOrder(successUrl, order.id)]);
    for (const [position, line] of lines.entries()) await keepLine(tx, order.id, position, line);
    if (voucherCode) await reserve(tx, voucherCode, buyer.id, order.id, lines);
    return { ...order, success_url: withOrder(successUrl, order.id) };
  });

const keepLine = (tx: Transaction, orderId: string, position: number, line: OrderLine) =>
  tx.query(
    `insert into order_items (order_id, position, kind, plan_id, product_id, quantity, unit_amount, discount, total,
       terms, details, cart_item_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      orderId,
      position,
      line.kind,
      line.kind === "plan" ? line.id : null,
      line.kind === "card" ? line.id : null,
      line.quantity,
      line.unit_amount,
      line.discount,
      line.total,
      line.terms,
      line.details,
      line.cart_item_id,
    ],
  );

/** Reserves one use of the voucher for the order. Concurrent buyers of the last use wait here, and are refused. */
async function reserve(tx: Transaction, code: string, buyerId: string, orderId: string, lines: OrderLine[]) {
  const plans = lines.filter(({ kind }) => kind === "plan").map(({ id }) => id);
  try {
    await tx.query("select private.reserve_voucher($1, $2, $3, $4)", [code, buyerId, orderId, plans]);
  } catch (error) {
    if (!isSqlError(error) || error.code !== "PT409") throw error;
    throw new RequestError(codeOf(error.hint), { message: error.message, status: 409 });
  }
}

function withOrder(address: string, orderId: string): string {
  const url = new URL(address);
  url.searchParams.set("order", orderId);
  return url.href;
}

/** An order whose page closes sooner is not shown again. */
const FRESH = "now() + interval '45 minutes'";

/** A purchase: the buyer, the exact lines, and their cart items. */
interface Wanted {
  buyerId: string;
  fingerprint: string;
  cartItems: string[];
}

interface Before extends Opened {
  pending: boolean;
  /** Whether the order is for exactly this purchase. */
  same: boolean;
  /** Whether its page may be shown again: the same purchase, and the page stays open long enough. */
  fresh: boolean;
  /** Whether the order contains cart items of this purchase. */
  shared: boolean;
}

/**
 * Closes the buyer's other open payment pages. Resolves to the order that already pays for this purchase, or whose
 * money a bank is still processing, which may take days; refuses if only some lines are in such an order.
 */
async function closeStaleCheckouts(deps: PaymentDeps, purchase: Wanted): Promise<Opened | undefined> {
  const { rows } = await deps.db.query<Before>(
    `select ${OPENED}, status = 'pending' as pending, fingerprint = $2 as same, fingerprint = $2 and expires_at > ${FRESH} as fresh, shared
     from orders o, lateral (select exists (
       select from order_items i where i.order_id = o.id and i.cart_item_id = any ($3::uuid[])) as shared) s
     where user_id = $1 and (status = 'pending' or (status in ('paid', 'disputed') and shared)) order by created_at`,
    [purchase.buyerId, purchase.fingerprint, purchase.cartItems],
  );
  const inHand: Before[] = [];
  for (const order of rows) if (!order.pending || (await isInHand(deps, order))) inHand.push(order);
  const same = inHand.find((order) => order.same);
  if (!same && inHand.some((order) => order.shared)) {
    throw new RequestError("payment_under_way");
  }
  return same;
}

/** Whether an order is paid or a bank is processing it. Otherwise closes its page, unless it may be shown again. */
async function isInHand(deps: PaymentDeps, order: Before): Promise<boolean> {
  if (order.fresh && !order.session_id) return false;
  const page = await openPage(deps, order).catch(() => undefined);
  if (!page) {
    // The order has no payment page, and none can be created any more.
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
