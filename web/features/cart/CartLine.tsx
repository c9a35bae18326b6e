import { Trash2 } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { SoldLine } from "../../../shared/cart-price.ts";
import type { Currency } from "../../../shared/money.ts";
import type { CartItem } from "../../data/cart-item.ts";
import { price } from "../../lib/formatting/currency.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { QuantityField } from "./QuantityField.tsx";

interface CartLineProps {
  item: CartItem;
  words: { name: string; details: string };
  /** What it is sold as; nothing where it is not for sale any more. */
  sold: readonly SoldLine[];
  currency: Currency;
  onChange: (change: Partial<CartItem> & { id: string }) => void;
  onRemove: (item: CartItem) => void;
}

/** One line of the cart: what, how many, and what that costs before anything is taken off. */
export function CartLine({ item, words, sold, currency, onChange, onRemove }: CartLineProps) {
  const { t } = useTranslation("cart");
  const { id } = item;
  const field = item.plan_id === null ? "quantity" : "additional_cards";
  const change = useCallback((value: number) => onChange({ id, [field]: value }), [onChange, id, field]);
  const sum = sold.reduce((total, line) => total + line.subtotal, 0);
  const [first] = sold;
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-4 border-b border-line py-6 last:border-0">
      <div className="grid min-w-0 content-start gap-1">
        <h2 className="font-serif text-xl leading-snug wrap-anywhere">{words.name}</h2>
        {words.details && <p className="text-ink-soft wrap-anywhere">{words.details}</p>}
        {first ? (
          item.plan_id === null && (
            <p className="text-ink-soft">{t("each", { price: price(first.unit_amount, currency) })}</p>
          )
        ) : (
          <p className="font-semibold text-danger-text">{t("notForSale")}</p>
        )}
      </div>
      <p className="text-lg font-semibold tabular-nums">{price(sum, currency)}</p>
      <QuantityField
        label={t(item.plan_id === null ? "quantity" : "extraCards")}
        words={{ fewer: t("fewer", words), more: t("more", words) }}
        value={item[field]}
        least={item.plan_id === null ? 1 : 0}
        most={1000}
        onChange={change}
      />
      <IconButton label={t("remove", words)} className="-me-3 self-end justify-self-end" onClick={() => onRemove(item)}>
        <Trash2 aria-hidden className="size-5" />
      </IconButton>
    </li>
  );
}
