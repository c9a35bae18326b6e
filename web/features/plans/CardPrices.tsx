import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type Currency, priceLine } from "../../../shared/money.ts";
import { amountIn, type Catalogue } from "../../data/catalogue.queries.ts";
import { price, roundPrice } from "../../lib/formatting/currency.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";

interface CardPricesProps {
  card: NonNullable<Catalogue["card"]>;
  currency: Currency;
}

/** Renders the metal card's price and quantity discounts. */
export function CardPrices({ card, currency }: CardPricesProps) {
  const { t } = useTranslation("pricing");
  const amount = amountIn(currency, card.product_prices);
  if (amount === undefined) return null;
  const steps = card.quantity_discounts.toSorted((one, other) => one.min_quantity - other.min_quantity);
  const each = (quantity: number) =>
    priceLine({ unit_amount: amount, quantity, quantityDiscounts: steps }).total / quantity;
  return (
    <section
      aria-labelledby="card-prices"
      className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[1fr_1.1fr] lg:items-center lg:gap-16"
    >
      <div className="grid gap-4">
        <h2 id="card-prices" className="font-serif text-3xl sm:text-4xl">
          {t("card.title")}
        </h2>
        <p className="max-w-prose text-ink-soft">{t("card.text")}</p>
        <p>
          <span className="font-serif text-4xl">{roundPrice(amount, currency)}</span> {t("card.each")}
        </p>
        <Button asChild variant="quiet" className="justify-self-start">
          <Link to={paths.shop()}>{t("card.shop")}</Link>
        </Button>
      </div>
      <table className="w-full border-collapse text-start">
        <thead>
          <tr className="border-b border-edge/50 text-ink-soft">
            <th scope="col" className="py-3 text-start font-normal wrap-anywhere">
              {t("card.quantity")}
            </th>
            <th scope="col" className="py-3 text-start font-normal">
              {t("card.discount")}
            </th>
            <th scope="col" className="py-3 text-end font-normal">
              {t("card.price")}
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ min_quantity, percentage }) => (
            <tr key={min_quantity} className="border-b border-line">
              <th scope="row" className="py-4 text-start font-semibold wrap-anywhere">
                {t("card.from", { count: min_quantity })}
              </th>
              <td className="py-4">{t("card.off", { percentage })}</td>
              <td className="py-4 text-end tabular-nums">{price(each(min_quantity), currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
