import { useTranslation } from "react-i18next";
import { type Currency, priceLine, type QuantityDiscount } from "../../../../shared/money.ts";
import { price } from "../../../lib/formatting/currency.ts";
import { Button } from "../../../ui/Button.tsx";
import { classNames } from "../../../ui/class-names.ts";

interface DiscountsProps {
  amount: number;
  currency: Currency;
  steps: readonly QuantityDiscount[];
  quantity: number;
  onQuantity: (quantity: number) => void;
}

/** A wedding's worth of cards (Spec §9). */
const WEDDING = 100;

/** What many cards cost less, with the step that counts, and what that means for a wedding. */
export function Discounts({ amount, currency, steps, quantity, onQuantity }: DiscountsProps) {
  const { t } = useTranslation("cards");
  const sorted = steps.toSorted((a, b) => a.min_quantity - b.min_quantity);
  const reached = sorted.findLast(({ min_quantity }) => min_quantity <= quantity);
  const wedding = priceLine({ unit_amount: amount, quantity: WEDDING, quantityDiscounts: sorted });
  return (
    <div className="grid gap-4">
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
                <th scope="row" className="px-3 py-2.5 text-start font-[inherit]">
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
          <div className="grid min-w-56 flex-1 gap-0.5">
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
