import { useTranslation } from "react-i18next";
import { price } from "../../lib/formatting/currency.ts";
import { classNames } from "../../ui/class-names.ts";
import { Panel } from "../../ui/Panel.tsx";
import type { OrderRow } from "./orders.queries.ts";
import { useLineLabels } from "./use-line-labels.ts";

/** Renders the lines and total of an order. */
export function OrderLines({ order }: { order: OrderRow }) {
  const { t } = useTranslation("orders");
  const wordsOf = useLineLabels();
  const { currency, subtotal, discount, total, tax, refunded, voucher_code } = order;
  return (
    <Panel title={t("items")} className="print:border-0 print:p-0">
      <ul className="m-0 grid list-none p-0">
        {order.order_items.map((line) => {
          const { name, more } = wordsOf(line);
          return (
            <li key={line.id} className="flex justify-between gap-6 border-t border-line py-3">
              <span className="grid">
                <span className="font-semibold">{name}</span>
                {more && <span className="text-sm text-ink-soft">{more}</span>}
              </span>
              <span className="shrink-0 tabular-nums">{price(line.unit_amount * line.quantity, currency)}</span>
            </li>
          );
        })}
      </ul>
      <dl className="m-0 grid gap-2 border-t border-edge/50 pt-4">
        {discount > 0 && <Sum name={t("subtotal")} amount={price(subtotal, currency)} />}
        {discount > 0 && (
          <Sum
            name={voucher_code ? t("voucher", { code: voucher_code }) : t("discount")}
            amount={price(-discount, currency)}
          />
        )}
        <Sum name={t("total")} amount={price(total, currency)} large />
        {tax > 0 && <Sum name={t("tax")} amount={price(tax, currency)} />}
        {refunded > 0 && <Sum name={t("refunded")} amount={price(-refunded, currency)} />}
        {refunded > 0 && <Sum name={t("remains")} amount={price(total - refunded, currency)} large />}
      </dl>
    </Panel>
  );
}

const Sum = ({ name, amount, large }: { name: string; amount: string; large?: boolean }) => (
  <div className={classNames("flex justify-between gap-6", large ? "text-lg font-semibold" : "text-ink-soft")}>
    <dt>{name}</dt>
    <dd className="m-0 shrink-0 tabular-nums">{amount}</dd>
  </div>
);
