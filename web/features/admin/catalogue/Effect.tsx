import { useTranslation } from "react-i18next";
import { CURRENCIES, type Currency, priceLine } from "../../../../shared/money.ts";
import { amountIn, type Catalogue } from "../../../data/catalogue.queries.ts";
import { price } from "../../../lib/formatting/currency.ts";
import { DeskTable } from "../DeskTable.tsx";
import type { VoucherFields } from "./catalogue.queries.ts";

type Discount = Pick<VoucherFields, "percentage" | "plan_ids" | "applies_to_cards">;

interface EffectProps {
  before: Catalogue;
  /** The catalogue with the unsaved changes. */
  after?: Catalogue;
  /** The new discount. */
  voucher?: Discount | undefined;
}

interface Line {
  id: string;
  name: string;
  /** Null for cards. */
  planId: string | null;
  /** The discounted price of an item; undefined if it is not for sale. */
  cost: (catalogue: Catalogue, currency: Currency, voucherPercentage: number) => number | undefined;
}

const planCost =
  (id: string): Line["cost"] =>
  ({ plans }, currency, voucherPercentage) => {
    const unit_amount = amountIn(currency, plans.find((plan) => plan.id === id)?.plan_prices ?? []);
    return unit_amount && priceLine({ unit_amount, quantity: 1, voucherPercentage }).total;
  };

const cardsCost =
  (quantity: number): Line["cost"] =>
  ({ card }, currency, voucherPercentage) => {
    const unit_amount = amountIn(currency, card?.product_prices ?? []);
    const quantityDiscounts = card?.quantity_discounts ?? [];
    return unit_amount && priceLine({ unit_amount, quantity, quantityDiscounts, voucherPercentage }).total;
  };

/** The prices before and after a change in both currencies; cards also at the quantities with a discount. */
export function Effect({ before, after = before, voucher }: EffectProps) {
  const { t } = useTranslation("adminCatalogue");
  const steps = [before, after].flatMap(({ card }) => card?.quantity_discounts ?? []);
  const quantities = [...new Set([1, ...steps.map(({ min_quantity }) => min_quantity)])].toSorted((a, b) => a - b);
  const lines: Line[] = [
    ...after.plans.map(({ id, name }) => ({ id, name, planId: id, cost: planCost(id) })),
    ...quantities.map((count) => ({
      id: `card ${count}`,
      name: t("cards", { count }),
      planId: null,
      cost: cardsCost(count),
    })),
  ].filter(({ cost }) => [before, after].some((one) => CURRENCIES.some((currency) => cost(one, currency, 0))));
  const covers = ({ planId }: Line) =>
    planId === null ? voucher?.applies_to_cards === true : voucher?.plan_ids?.includes(planId) !== false;
  const cell = (currency: Currency, line: Line) => {
    const was = line.cost(before, currency, 0);
    const is = line.cost(after, currency, voucher && covers(line) ? voucher.percentage : 0);
    if (was === is) return was === undefined ? "–" : price(was, currency);
    return (
      <>
        <s className="text-ink-soft">{was === undefined ? t("notSold") : price(was, currency)}</s>{" "}
        <span className="sr-only">{t("becomes")} </span>
        <strong>{is === undefined ? t("notSold") : price(is, currency)}</strong>
      </>
    );
  };
  return (
    <section className="grid gap-2">
      <h4 className="font-semibold">{t("effect")}</h4>
      <DeskTable
        caption={t("effect")}
        rows={lines}
        keyOf={({ id }) => id}
        columns={[
          { head: t("item"), cell: ({ name }) => name },
          ...CURRENCIES.map((currency) => ({
            head: currency as string,
            align: "end" as const,
            cell: (line: Line) => cell(currency, line),
          })),
        ]}
      />
      <p className="text-sm text-ink-soft">{t("keeps")}</p>
    </section>
  );
}
