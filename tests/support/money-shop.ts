import { expect } from "vitest";
import { payments } from "../../server/gateways/payments.ts";
import { reconcile } from "../../server/orders/reconcile.ts";
import { CARD_NUMBERS } from "./card-numbers.ts";
import { linesOf, type PricedLine, type Standing, statusOf, VOUCHERS, type Wish } from "./money-model.ts";
import { BUYERS, type Buyer, type Step } from "./money-steps.ts";
import { ADDRESS, checkoutRequests } from "./payments.ts";
import type { PaymentsByHand } from "./payments-by-hand.ts";
import type { Person } from "./people.ts";
import type { TestServer } from "./server.ts";

/** A purchase in the model; `heard` is the payment's state at the last processed event. */
export interface Purchase extends Wish {
  id: string;
  session: string;
  who: Buyer;
  referred: boolean;
  lines: PricedLine[];
  total: number;
  heard: Standing;
  /** Whether the same purchase would get the same payment page again. */
  fresh: boolean;
  /** Whether it counts as a use of its voucher. */
  holds: boolean;
  /** Whether it was once known as paid and undisputed. */
  wasPaid: boolean;
  issued: boolean;
  engraved: boolean;
}

export type People = Record<Buyer, Person>;

/** The product with its buyers and the payment provider. Steps act on it, and update the model's purchases. */
export function openShop(server: TestServer, hand: PaymentsByHand, people: People, affiliateCode: string) {
  const { store } = hand;
  const { checkOut } = checkoutRequests(server);
  const webhook = `${server.url}/functions/v1/payment-webhook`;
  const purchases: Purchase[] = [];
  const acted = new Set<string>();
  const gateway = payments({ ...hand, automaticTax: true });
  const from = <T>(list: readonly T[], which: number) => list[list.length - 1 - (which % list.length)];

  const chargeOf = ({ session }: Pick<Purchase, "session">) => {
    const intent = store.intents.get(store.current(session).payment_intent ?? "");
    return store.charges.get(intent?.latest_charge ?? "");
  };
  const disputesOf = (purchase: Purchase) =>
    [...store.disputes.values()].filter(({ charge }) => charge === chargeOf(purchase)?.id);
  const standing = (session: string): Standing => {
    const page = store.current(session);
    const intent = store.intents.get(page.payment_intent ?? "");
    const charge = store.charges.get(intent?.latest_charge ?? "");
    const disputes = [...store.disputes.values()].filter((one) => one.charge === charge?.id);
    const lost = disputes.filter(({ status }) => status === "lost").reduce((sum, { amount }) => sum + amount, 0);
    return {
      page: page.status,
      captured: charge !== undefined || (page.status === "complete" && page.amount_total === 0),
      refused: page.status === "complete" && intent?.status === "requires_payment_method",
      total: page.amount_total,
      tax: page.total_details.amount_tax,
      back: (charge?.amount_refunded ?? 0) + lost,
      disputed: disputes.some(({ status }) => status === "needs_response"),
    };
  };

  const isAbout = (thing: object, session: string): boolean => {
    const { id, payment_intent = id } = thing as { id?: string; payment_intent?: string | null };
    return id === session || (payment_intent !== null && payment_intent === store.current(session).payment_intent);
  };

  /** Applies a known payment state to the model. */
  function hear(purchase: Purchase) {
    purchase.heard = standing(purchase.session);
    const status = statusOf(purchase.heard);
    if (purchase.heard.captured) {
      purchase.wasPaid = true;
      purchase.holds = purchase.voucher !== null;
    } else if (status !== "pending") purchase.holds = false;
    if (status === "paid") purchase.issued = true;
  }

  const keyOf = ({ who, plans, cards, beside, currency, voucher, referred }: Purchase | BeginStep) =>
    JSON.stringify([who, plans, cards, beside, currency, voucher, referred && who !== "cleo"]);
  const isPending = ({ heard }: Purchase) => statusOf(heard) === "pending";

  async function begin(step: BeginStep) {
    const { who, plans, cards, beside, currency, voucher, referred } = step;
    const own = purchases.filter((one) => one.who === who && isPending(one));
    const items = [
      ...plans.map((plan_id) => ({ plan_id, additional_cards: beside, currency })),
      ...(cards > 0 ? [{ product_id: "metal-card", quantity: cards, currency }] : []),
    ];
    const reply = await checkOut(people[who], {
      items,
      voucher_code: voucher,
      ...(referred ? { affiliate_code: affiliateCode, affiliate_visited_at: new Date().toISOString() } : {}),
    });
    const said = (await reply.json()) as { url?: string; order_id?: string; message?: string };

    // The product first closes pages of other carts, and updates finished payments.
    const isOpen = (one: Purchase) => one.fresh && standing(one.session).page === "open";
    const again = own.filter((one) => keyOf(one) === keyOf(step));
    const same = again.find(isOpen);
    for (const one of own) if (one !== same) hear(one);
    const inHand = again.find((one) => one !== same && ["pending", "paid", "disputed"].includes(statusOf(one.heard)));
    if (inHand) {
      expect(said.order_id, "what is paid, or about to be").toBe(inHand.id);
      return expect(said.url).toBe(`${server.url}/success?order=${inHand.id}`);
    }
    if (same) return expect(said.order_id, "the same page again").toBe(same.id);
    const limit = voucher && VOUCHERS[voucher];
    const uses = purchases.filter((one) => one.holds && one.voucher === voucher);
    const refused =
      limit &&
      (uses.length >= limit.uses ||
        uses.filter((one) => one.who === who).length >= limit.each ||
        (!limit.cards && plans.length === 0));
    if (refused) return expect([reply.status, said.message]).toEqual([409, "Invalid voucher code"]);
    expect(said.message).toBeUndefined();
    const session = said.url?.split("/").at(-1) ?? "";
    const lines = linesOf(step);
    const total = lines.reduce((sum, line) => sum + line.total, 0);
    expect(store.current(session).amount_total, "what the page asks for").toBe(total);
    purchases.push({
      id: said.order_id ?? "",
      session,
      who,
      plans,
      cards,
      beside,
      currency,
      voucher,
      referred,
      lines,
      total,
      heard: standing(session),
      fresh: true,
      holds: voucher !== null,
      wasPaid: false,
      issued: false,
      engraved: false,
    });
  }

  function pay(purchase: Purchase, card: keyof typeof CARD_NUMBERS) {
    const payer = { name: "Somebody", address: ADDRESS };
    if (store.current(purchase.session).status !== "open") return;
    if (purchase.total === 0) store.finishFree(purchase.session, payer);
    else store.pay(purchase.session, { ...payer, number: CARD_NUMBERS[card] });
  }

  /** Delivers events several times in parallel; only the first delivery has an effect. */
  async function tell(events: typeof hand.events, times = 1) {
    const deliveries = events.flatMap((event) => Array.from({ length: times }, () => hand.deliver(event, webhook)));
    for (const reply of await Promise.all(deliveries)) expect(reply.status, "the webhook's answer").toBe(200);
    for (const { id, data } of events) {
      if (acted.has(id)) continue;
      acted.add(id);
      const about = purchases.find((one) => isAbout(data.object, one.session));
      if (about) hear(about);
    }
  }

  async function passDays(days: number) {
    for (const purchase of purchases) {
      purchase.fresh = false;
      if (store.current(purchase.session).status === "open") store.expireSession(purchase.session);
    }
    await server.db.transaction(async (tx) => {
      // The passing of time is simulated by moving all dates back.
      await tx.exec(`set local session_replication_role = replica;
        update orders set created_at = created_at - interval '${days} days', expires_at = expires_at - interval '${days} days',
          paid_at = paid_at - interval '${days} days';
        set local session_replication_role = origin`);
      for (const who of BUYERS) await tx.query("select private.recalculate_subscriptions($1)", [people[who].id]);
    });
  }

  async function refund(purchase: Purchase, share: number) {
    const charge = chargeOf(purchase);
    const remaining = charge ? charge.amount - charge.amount_refunded : 0;
    // The provider refunds nothing of a disputed or lost payment.
    const barred = disputesOf(purchase).some(({ status }) => status !== "won");
    if (charge && remaining > 0 && !barred) store.refund(charge.payment_intent, Math.ceil(remaining * share));
  }

  async function take(step: Step): Promise<unknown> {
    if (step.does === "begins") return begin(step);
    if (step.does === "banks answer") return store.release();
    if (step.does === "days pass") return passDays(step.days);
    if (step.does === "all news") return tell(step.backwards ? hand.events.toReversed() : hand.events);
    if (step.does === "night") {
      const log = { warn: () => {}, error: (error: unknown) => expect(error).toBeUndefined() };
      await reconcile({ db: server.db, payments: gateway, site: server.url, log });
      return purchases.forEach(hear);
    }
    if (step.does === "news") {
      const event = from(hand.events, step.which);
      return event && tell([event], step.times);
    }
    const purchase = from(purchases, step.which);
    if (!purchase) return;
    if (step.does === "begins again") return begin({ ...purchase, does: "begins" });
    if (step.does === "pays") return pay(purchase, step.card);
    if (step.does === "page closes") {
      if (store.current(purchase.session).status === "open") store.expireSession(purchase.session);
    } else if (step.does === "pays too late") {
      const page = store.current(purchase.session);
      if (page.status === "expired" && purchase.total > 0) {
        // A payment at the moment when the page closes.
        Object.assign(page, { status: "open" });
        pay(purchase, "pays");
      }
    } else if (step.does === "refund") await refund(purchase, step.share);
    else if (step.does === "dispute") {
      const charge = chargeOf(purchase);
      if (charge && !charge.disputed) store.dispute(charge.payment_intent);
    } else if (step.does === "dispute ends") {
      for (const { id, status } of disputesOf(purchase))
        if (status === "needs_response") store.closeDispute(id, step.end);
    } else if (statusOf(purchase.heard) === "paid") {
      await server.db.query("update metal_cards set making = 'engraved' where order_id = $1", [purchase.id]);
      purchase.engraved = true;
    }
  }

  return { purchases, take, standing };
}

type BeginStep = Extract<Step, { does: "begins" }>;
