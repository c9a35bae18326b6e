import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Engraving } from "../../../../shared/card.ts";
import { priceLine } from "../../../../shared/money.ts";
import { useAddToCart } from "../../../actions/add-to-cart.ts";
import { amountIn, type Catalogue } from "../../../data/catalogue.queries.ts";
import { currencyFor, price } from "../../../lib/formatting/currency.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import type { CurrentUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { type CardWish, canEngrave, EngravingFields } from "../EngravingFields.tsx";
import { useCardMemories } from "../use-card-memories.ts";
import { CardStage } from "./CardStage.tsx";
import { Discounts } from "./Discounts.tsx";
import { wordsOf } from "./engraving-defaults.ts";
import { Quantity } from "./Quantity.tsx";

interface OrderCardProps {
  card: Catalogue["card"];
  /** Null for a visitor. */
  person: CurrentUser | null;
}

/** The card as it is being ordered: its picture, its words, how many, what it costs. */
export function OrderCard({ card, person }: OrderCardProps) {
  const { t, i18n } = useTranslation("cards");
  const language: Engraving["language"] = i18n.resolvedLanguage === "it" ? "it" : "en";
  const currency = currencyFor(language);
  const [chosen, setWish] = useState<CardWish>({
    engraving: { name: "", dates: "", finish: "steel", language },
    memoryId: null,
  });
  // Whoever changes the language goes on with the card as it would be in that one.
  const wish: CardWish = { ...chosen, engraving: { ...chosen.engraving, language } };
  const { memories, search } = useCardMemories(person?.id ?? null, wish.memoryId);
  const [quantity, setQuantity] = useState(1);
  const add = useAddToCart();
  const amount = card ? amountIn(currency, card.product_prices) : undefined;
  const memory = memories?.find(({ id }) => id === wish.memoryId);
  if (!card || amount === undefined) return <p className="text-lg">{t("shop.notForSale")}</p>;
  const sum = priceLine({ unit_amount: amount, quantity, quantityDiscounts: card.quantity_discounts });

  const order = () => {
    const engraving = Engraving.safeParse(wish.engraving);
    if (!engraving.success || add.isPending) return;
    const item = { engraving: { ...engraving.data, memory_id: wish.memoryId } };
    add.mutate([{ product_id: "metal-card", quantity, currency, item }]);
  };

  return (
    <div className="grid items-start gap-8 lg:grid-cols-2 lg:gap-14">
      <CardStage
        engraving={wish.engraving}
        link={new URL(memory?.share_id ? paths.shared(memory.share_id) : paths.start(), location.origin).href}
        says={memory ? t("shop.opensMemory", { name: memory.person_name }) : t("shop.opensUs")}
      />
      <Form
        error={add.error && new Error(t("shop.addFailed"))}
        className="gap-7!"
        onSubmit={(event) => {
          event.preventDefault();
          order();
        }}
      >
        <EngravingFields
          wish={wish}
          onChange={setWish}
          memories={person ? memories : null}
          search={search}
          onMemory={(one) =>
            one &&
            setWish({ memoryId: one.id, engraving: { ...wish.engraving, ...wordsOf(one, localeOf(i18n.language)) } })
          }
        />
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
          <SubmitButton busy={add.isPending} disabled={!canEngrave(wish.engraving)}>
            {t(add.isPending ? "shop.adding" : "shop.add")}
          </SubmitButton>
          <p role="status" className="min-h-7 text-center text-ink-soft">
            {add.data ? (
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
