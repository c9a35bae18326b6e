import { useMutation } from "@tanstack/react-query";
import { Minus, Plus } from "lucide-react";
import { Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Engraving } from "../../../../shared/card.ts";
import { type Currency, priceLine, type QuantityDiscount } from "../../../../shared/money.ts";
import { useAddToCart } from "../../../actions/add-to-cart.ts";
import { amountIn, type Catalogue } from "../../../data/catalogue.queries.ts";
import { siteOrigin } from "../../../lib/browser/config.ts";
import { lazyPart } from "../../../lib/browser/lazy-part.ts";
import { currencyFor, price } from "../../../lib/formatting/currency.ts";
import type { CurrentUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { RoundButton } from "../../../ui/RoundButton.tsx";
import { type CardInput, canEngrave, EngravingFields } from "../EngravingFields.tsx";
import { MemorySelect } from "../MemorySelect.tsx";
import type { CardMemory } from "../use-card-memories.ts";
import { CardStage } from "./CardStage.tsx";

// Loaded on demand: it formats memories' dates, which visitors do not need.
const OwnMemory = lazyPart(() => import("../OwnMemory.tsx"));

interface OrderCardProps {
  card: Catalogue["card"];
  /** Null for a visitor. */
  person: CurrentUser | null;
}

/** The order form of a card: its picture, text, quantity and price. */
export function OrderCard({ card, person }: OrderCardProps) {
  const { t, i18n } = useTranslation("cards");
  const language: Engraving["language"] = i18n.resolvedLanguage === "it" ? "it" : "en";
  const currency = currencyFor(language);
  const [chosen, setChosen] = useState<CardInput>({
    engraving: { name: "", dates: "", finish: "steel", language },
    memoryId: null,
  });
  // If the interface language changes, the card's language changes too.
  const cardInput: CardInput = { ...chosen, engraving: { ...chosen.engraving, language } };
  const [memory, setMemory] = useState<CardMemory>();
  const [quantity, setQuantity] = useState(1);
  const add = useAddToCart();
  const order = useMutation({
    mutationFn: async () => {
      const { Engraving } = await import("../../../../shared/card.ts");
      const item = { engraving: { ...Engraving.parse(cardInput.engraving), memory_id: cardInput.memoryId } };
      return add.mutateAsync([{ product_id: "metal-card", quantity, currency, item }]);
    },
  });
  const amount = card ? amountIn(currency, card.product_prices) : undefined;
  if (!card || amount === undefined) return <p className="text-lg">{t("shop.notForSale")}</p>;
  const sum = priceLine({ unit_amount: amount, quantity, quantityDiscounts: card.quantity_discounts });

  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-2 lg:gap-14">
      <CardStage
        engraving={cardInput.engraving}
        link={new URL(memory?.share_id ? paths.shared(memory.share_id) : paths.start(), siteOrigin()).href}
        says={memory ? t("shop.opensMemory", { name: memory.person_name }) : t("shop.opensUs")}
      />
      <Form
        error={order.isError ? new Error(t("shop.addFailed")) : null}
        className="gap-7!"
        onSubmit={(event) => {
          event.preventDefault();
          order.mutate();
        }}
      >
        <EngravingFields input={cardInput} onChange={setChosen}>
          <Suspense fallback={<MemorySelect hint={t("words.memoryHint")} disabled />}>
            {person ? (
              <OwnMemory
                userId={person.id}
                input={cardInput}
                onChange={(next, opened) => {
                  setChosen(next);
                  setMemory(opened);
                }}
              />
            ) : (
              <MemorySelect hint={t("words.memorySignIn")} disabled />
            )}
          </Suspense>
        </EngravingFields>
        <Quantity value={quantity} onChange={setQuantity} />
        <Discounts
          amount={amount}
          currency={currency}
          steps={card.quantity_discounts}
          quantity={quantity}
          onQuantity={setQuantity}
        />
        <div className="grid gap-4 border-t border-line pt-5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4" aria-live="polite">
            <span className="font-semibold">{t("shop.sum")}</span>
            <span className="flex flex-wrap items-baseline gap-x-3">
              {sum.discount > 0 && (
                <span className="text-ink-soft">{t("shop.saved", { amount: price(sum.discount, currency) })}</span>
              )}
              <span className="font-serif text-3xl tabular-nums">{price(sum.total, currency)}</span>
            </span>
          </div>
          <SubmitButton busy={order.isPending} disabled={!canEngrave(cardInput.engraving)}>
            {t(order.isPending ? "shop.adding" : "shop.add")}
          </SubmitButton>
          <p role="status" className="min-h-7 text-center text-ink-soft">
            {order.data ? (
              <>
                {t("shop.added")}. <Link to={paths.cart()}>{t("shop.seeCart")}</Link>
              </>
            ) : (
              person === null && t("shop.signIn")
            )}
          </p>
        </div>
      </Form>
    </div>
  );
}

const MOST_CARDS = 1000;

interface QuantityProps {
  value: number;
  onChange: (value: number) => void;
}

/** The number of cards, changed by one or typed. */
function Quantity({ value, onChange }: QuantityProps) {
  const { t } = useTranslation("cards");
  const id = useId();
  const set = (quantity: number) => onChange(Math.min(MOST_CARDS, Math.max(1, Math.round(quantity) || 1)));
  return (
    <div className="grid justify-items-start gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {t("shop.quantity")}
      </label>
      <div className="inline-flex items-center gap-1 rounded-full border border-edge bg-raised p-1">
        <RoundButton icon={Minus} label={t("shop.fewer")} disabled={value <= 1} onClick={() => set(value - 1)} />
        <input
          id={id}
          inputMode="numeric"
          value={value}
          onChange={({ target }) => set(Number(target.value.replaceAll(/\D/g, "")))}
          className="min-h-11 w-16 bg-transparent text-center text-lg font-semibold tabular-nums"
        />
        <RoundButton icon={Plus} label={t("shop.more")} disabled={value >= MOST_CARDS} onClick={() => set(value + 1)} />
      </div>
    </div>
  );
}

interface DiscountsProps {
  amount: number;
  currency: Currency;
  steps: readonly QuantityDiscount[];
  quantity: number;
  onQuantity: (quantity: number) => void;
}

/** The number of cards for a wedding (Spec §9). */
const WEDDING = 100;

/** The quantity discounts with the current one marked, and the price for a wedding. */
function Discounts({ amount, currency, steps, quantity, onQuantity }: DiscountsProps) {
  const { t } = useTranslation("cards");
  const sorted = steps.toSorted((a, b) => a.min_quantity - b.min_quantity);
  const reached = sorted.findLast(({ min_quantity }) => min_quantity <= quantity);
  const wedding = priceLine({ unit_amount: amount, quantity: WEDDING, quantityDiscounts: sorted });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <table className="w-full border-collapse">
        <caption className="pb-2 text-start font-semibold">{t("shop.discounts")}</caption>
        <tbody>
          {sorted.map((step) => {
            const { min_quantity, percentage } = step;
            const one = priceLine({ unit_amount: amount, quantity: min_quantity, quantityDiscounts: sorted });
            return (
              <tr
                key={min_quantity}
                className={classNames(
                  "border-t border-line transition-colors duration-200",
                  step === reached && "bg-wash font-semibold",
                )}
              >
                <th scope="row" className="px-3 py-2.5 text-start font-[inherit] wrap-anywhere">
                  {t("shop.from", { count: min_quantity })}
                </th>
                <td className="px-3 py-2.5">{t("shop.off", { percentage })}</td>
                <td className="px-3 py-2.5 text-end tabular-nums">
                  {price(one.total / min_quantity, currency)} {t("shop.each")}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {wedding.discount > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-2xl bg-sunken px-4 py-4">
          <div className="grid min-w-[min(14rem,100%)] flex-1 gap-0.5">
            <p className="font-semibold">{t("shop.wedding")}</p>
            <p className="text-ink-soft">
              {t("shop.weddingText", {
                total: price(wedding.total, currency),
                subtotal: price(wedding.subtotal, currency),
              })}
            </p>
          </div>
          <Button variant="quiet" size="small" onClick={() => onQuantity(WEDDING)}>
            {t("shop.weddingTake")}
          </Button>
        </div>
      )}
    </div>
  );
}
