import { z } from "zod";
import { WantedEngraving } from "../../shared/card.ts";
import type { Currency } from "../../shared/money.ts";
import { RequestError } from "../../shared/request-error.ts";
import { typedVoucher } from "../../shared/typed-text.ts";
import type { Database } from "../database/database.ts";
import { languageOf } from "../emails/language.ts";
import type { PaymentDeps } from "../orders/apply-payment.ts";
import type { WantedLine } from "../orders/catalogue.ts";
import { checkOut } from "../orders/checkout.ts";
import type { AttemptLimiter } from "../supabase/attempt-limiter.ts";
import type { Limits } from "../supabase/auth/limits.ts";
import { type RedirectSettings, redirectTo } from "../supabase/auth/redirects.ts";
import type { SignedIn } from "../supabase/auth/signed-in.ts";

/**
 * The affiliate link's code and visit time, as sent by the browser. Invalid values are ignored, so that the purchase
 * continues.
 */
export const Referral = {
  affiliate_code: z.string().max(40).nullish().catch(null),
  affiliate_visited_at: z.iso.datetime({ offset: true }).nullish().catch(null),
};

interface GivenReferral {
  affiliate_code?: string | null | undefined;
  affiliate_visited_at?: string | null | undefined;
}

/** The code of the affiliate who gets the commission; undefined for none. The database decides. */
async function referringCode(db: Database, buyer: SignedIn, referral: GivenReferral): Promise<string | undefined> {
  if (!referral.affiliate_code || !referral.affiliate_visited_at) return undefined;
  const { rows } = await db.query<{ code: string | null }>("select private.referring_code($1, $2, $3, $4) as code", [
    referral.affiliate_code,
    referral.affiliate_visited_at,
    buyer.id,
    buyer.email ?? "",
  ]);
  return rows[0]?.code ?? undefined;
}

interface CheckoutDeps extends PaymentDeps {
  /** The allowed origins of the return address. */
  origins: RedirectSettings;
  /** Counts wrong voucher codes over all endpoints. */
  vouchers: AttemptLimiter;
}

const Id = z.string().min(1).max(40).nullish();
const Count = z.number().int().min(0).max(1000).nullish();
const What = { plan_id: Id, product_id: Id, quantity: Count, additional_cards: Count };

/** A line of a cart from the browser. A price in it is ignored. */
const Item = z.object({
  id: z.uuid().nullish(),
  currency: z.enum(["GBP", "EUR"]).nullish(),
  ...What,
  // Spec §3 calls these the item's metadata.
  item: z.looseObject(What).nullish(),
});
const Items = z.array(Item).max(50);
type GivenItem = z.infer<typeof Item>;

/** The requested lines; refuses an empty cart (Spec §5) and one in two currencies. */
function readItems(items: unknown): { lines: WantedLine[]; currency: Currency } {
  if (!Array.isArray(items) || items.length === 0) throw new RequestError("cart_empty");
  const parsed = Items.safeParse(items);
  if (!parsed.success) {
    throw new RequestError("malformed", {
      message: `items.${parsed.error.issues[0]?.path.join(".")}: ${parsed.error.issues[0]?.message}`,
    });
  }
  const currencies = new Set(parsed.data.map(({ currency }) => currency ?? "GBP"));
  const [currency = "GBP"] = currencies;
  if (currencies.size > 1) throw new RequestError("currencies");
  return { lines: parsed.data.map(lineOf), currency };
}

function lineOf({ id, item, ...columns }: GivenItem): WantedLine {
  const { plan_id, product_id, quantity, additional_cards, ...details } = item ?? {};
  const line = {
    plan_id: columns.plan_id ?? plan_id ?? null,
    product_id: columns.product_id ?? product_id ?? null,
    quantity: columns.quantity ?? quantity ?? 1,
    additional_cards: columns.additional_cards ?? additional_cards ?? 0,
  };
  const isOne = (line.plan_id === null) !== (line.product_id === null);
  if (!isOne || line.quantity < 1 || (line.plan_id !== null && line.quantity > 1)) {
    throw new RequestError("not_for_sale");
  }
  if (JSON.stringify(details).length > 16_384) throw new RequestError("too_large");
  return { ...line, cart_item_id: id ?? null, details: withEngraving(details) };
}

/** Normalises the engraving of a card. Refuses text that is too long or has characters that cannot be engraved. */
function withEngraving(details: Record<string, unknown>): Record<string, unknown> {
  if (details.engraving === undefined || details.engraving === null) return details;
  const engraving = WantedEngraving.safeParse(details.engraving);
  if (!engraving.success) {
    throw new RequestError("not_engravable", { message: "The text on a card cannot be engraved." });
  }
  return { ...details, engraving: engraving.data };
}

/** The number of payment pages that a person may request in an hour. */
const PAGES_AN_HOUR = 100;

/** Counts a request for a payment page, before its body is read. */
export const countCheckout = (limits: Limits, { id }: SignedIn) =>
  limits.spend([{ key: `checkouts of ${id}`, most: PAGES_AN_HOUR, seconds: 3600 }]);

/** What both checkouts require. Spec §5: creating a subscription needs an authenticated user. */
export const CHECKOUT = {
  needs: "payments",
  ownPagesOnly: true,
  caller: "account",
  signInMessage: "User not authenticated",
} as const;

interface CheckoutRequest {
  /** The client's address. */
  address: string;
  /** The origin of the request's URL. */
  origin: string;
  items: unknown;
  voucherCode: string | undefined;
  successUrl: unknown;
  cancelUrl: unknown;
  referral: GivenReferral;
}

/** Creates a payment page for a signed-in person's purchase; rejects with the messages of Spec §8. */
export async function pageFor(deps: CheckoutDeps, person: SignedIn, checkout: CheckoutRequest) {
  const { lines, currency } = readItems(checkout.items);
  // Without PUBLIC_URL, the origin of the request's URL is allowed too.
  const { siteUrl, loopback } = deps.origins;
  const origins = { siteUrl, redirectUrls: loopback ? [checkout.origin] : [], loopback: false };
  const purchase = {
    buyer: {
      id: person.id,
      email: person.email ?? "",
      language: languageOf(person.raw_user_meta_data?.language, currency === "EUR" ? "it" : "en"),
    },
    lines,
    currency,
    voucherCode: typedVoucher(checkout.voucherCode ?? "") || undefined,
    affiliateCode: await referringCode(deps.db, person, checkout.referral),
    successUrl: ownAddress(origins, checkout.successUrl),
    cancelUrl: ownAddress(origins, checkout.cancelUrl),
  };
  if (purchase.voucherCode === undefined) return checkOut(deps, purchase);
  const attempt = await deps.vouchers.begin(checkout.address, { role: "authenticated", sub: person.id });
  try {
    const page = await checkOut(deps, purchase);
    await attempt.refund();
    return page;
  } catch (error) {
    // Only a refusal of the code counts as a wrong code.
    if (!(error instanceof RequestError && error.code?.startsWith("voucher_"))) await attempt.refund();
    throw error;
  }
}

function ownAddress(origins: RedirectSettings, checkout: unknown): string {
  try {
    return redirectTo(origins, checkout);
  } catch {
    throw new RequestError("address_not_allowed");
  }
}
