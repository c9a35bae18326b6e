import { Minus, Plus } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { IconButton } from "../../ui/IconButton.tsx";

interface QuantityFieldProps {
  label: string;
  /** What its two buttons are called. */
  words: { fewer: string; more: string };
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => void;
}

const PATIENCE_MS = 500;

/** How many: typed, or one more or less. What is chosen quickly one after the other is said once. */
export function QuantityField({ label, words, value, least, most, onChange }: QuantityFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? String(value);
  const chosen = Math.round(Number(shown));
  const isNumber = shown.trim() !== "" && chosen >= least && chosen <= most;

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
        <IconButton label={words.fewer} disabled={shown === String(least)} onClick={() => step(-1)}>
          <Minus aria-hidden className="size-4" />
        </IconButton>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={shown}
          onChange={({ target }) => setTyped(target.value.replaceAll(/\D/g, "").slice(0, 4))}
          className="min-h-11 w-12 bg-transparent text-center text-base tabular-nums"
        />
        <IconButton label={words.more} disabled={shown === String(most)} onClick={() => step(1)}>
          <Plus aria-hidden className="size-4" />
        </IconButton>
      </div>
    </div>
  );
}
