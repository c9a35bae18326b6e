import { Minus, Plus } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../ui/IconButton.tsx";

export const MOST_CARDS = 1000;

interface QuantityProps {
  value: number;
  onChange: (value: number) => void;
}

/** How many cards: by one, or typed. */
export function Quantity({ value, onChange }: QuantityProps) {
  const { t } = useTranslation("cards");
  const id = useId();
  const set = (wanted: number) => onChange(Math.min(MOST_CARDS, Math.max(1, Math.round(wanted) || 1)));
  return (
    <div className="grid justify-items-start gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {t("shop.quantity")}
      </label>
      <div className="inline-flex items-center gap-1 rounded-full border border-edge bg-raised p-1">
        <IconButton label={t("shop.fewer")} disabled={value <= 1} onClick={() => set(value - 1)}>
          <Minus aria-hidden className="size-5" />
        </IconButton>
        <input
          id={id}
          inputMode="numeric"
          value={value}
          onChange={({ target }) => set(Number(target.value.replaceAll(/\D/g, "")))}
          className="min-h-11 w-16 bg-transparent text-center text-lg font-semibold tabular-nums"
        />
        <IconButton label={t("shop.more")} disabled={value >= MOST_CARDS} onClick={() => set(value + 1)}>
          <Plus aria-hidden className="size-5" />
        </IconButton>
      </div>
    </div>
  );
}
