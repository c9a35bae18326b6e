import { Minus, Plus, Trash2 } from "lucide-react";
import { useCallback, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SoldLine } from "../../../shared/cart-price.ts";
import type { Currency } from "../../../shared/money.ts";
import type { CartItem } from "../../data/cart-item.ts";
import { price } from "../../lib/formatting/currency.ts";
import { ItemPicture } from "../../media/ItemPicture.tsx";
import { IconButton } from "../../ui/IconButton.tsx";

interface CartLineProps {
  item: CartItem;
  texts: { name: string; details: string };
  /** The item's priced lines; empty if it is not for sale any more. */
  sold: readonly SoldLine[];
  currency: Currency;
  onChange: (change: Partial<CartItem> & { id: string }) => void;
  onRemove: (item: CartItem) => void;
}

/** A line of the cart: item, quantity, and price before discounts. */
export function CartLine({ item, texts, sold, currency, onChange, onRemove }: CartLineProps) {
  const { t } = useTranslation("cart");
  const { id } = item;
  const field = item.plan_id === null ? "quantity" : "additional_cards";
  const change = useCallback((value: number) => onChange({ id, [field]: value }), [onChange, id, field]);
  const sum = sold.reduce((total, line) => total + line.subtotal, 0);
  const [first] = sold;
  return (
    <li className="grid grid-cols-[auto_1fr_auto] gap-x-4 gap-y-4 border-b border-line py-6 last:border-0 sm:gap-x-6">
      <ItemPicture plan={item.plan_id} details={item.item} />
      <div className="col-span-2 grid min-w-0 content-start gap-1">
        <div className="flex flex-wrap gap-x-4">
          <h2 className="min-w-0 grow basis-24 font-serif text-xl leading-snug">{texts.name}</h2>
          <p className="shrink-0 text-lg font-semibold tabular-nums">{price(sum, currency)}</p>
        </div>
        {texts.details && <p className="text-ink-soft wrap-anywhere">{texts.details}</p>}
        {first ? (
          item.plan_id === null && (
            <p className="text-ink-soft">{t("each", { price: price(first.unit_amount, currency) })}</p>
          )
        ) : (
          <p className="font-semibold text-danger-text">{t("notForSale")}</p>
        )}
      </div>
      <div className="col-span-2 sm:col-start-2 sm:col-span-1">
        <QuantityField
          label={t(item.plan_id === null ? "quantity" : "extraCards")}
          labels={{ fewer: t("fewer", texts), more: t("more", texts) }}
          value={item[field]}
          least={item.plan_id === null ? 1 : 0}
          most={1000}
          onChange={change}
        />
      </div>
      <IconButton
        icon={Trash2}
        label={t("remove", texts)}
        className="-me-3 self-end justify-self-end"
        onClick={() => onRemove(item)}
      />
    </li>
  );
}

interface QuantityFieldProps {
  label: string;
  /** The labels of the buttons that change the quantity by one. */
  labels: { fewer: string; more: string };
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => void;
}

const PATIENCE_MS = 500;

/** A quantity that is typed or changed by one. Changes are debounced. */
function QuantityField({ label, labels, value, least, most, onChange }: QuantityFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? String(value);
  const chosen = Math.round(Number(text));
  const isNumber = text.trim() !== "" && chosen >= least && chosen <= most;

  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      if (isNumber && chosen !== value) onChange(chosen);
      setTyped(undefined);
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [typed, isNumber, chosen, value, onChange]);

  const step = (by: number) => setTyped(String(Math.min(most, Math.max(least, (isNumber ? chosen : value) + by))));
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm text-ink-soft">
        {label}
      </label>
      <div className="flex w-fit items-center rounded-full border border-edge bg-raised">
        <IconButton label={labels.fewer} disabled={text === String(least)} onClick={() => step(-1)}>
          <Minus aria-hidden className="size-4" />
        </IconButton>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={({ target }) => setTyped(target.value.replaceAll(/\D/g, "").slice(0, 4))}
          className="min-h-11 w-12 bg-transparent text-center text-base tabular-nums"
        />
        <IconButton label={labels.more} disabled={text === String(most)} onClick={() => step(1)}>
          <Plus aria-hidden className="size-4" />
        </IconButton>
      </div>
    </div>
  );
}
