import { useId } from "react";
import { classNames } from "./class-names.ts";

interface SwitchProps {
  label: string;
  /** The effect of the current state. */
  text?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch with immediate effect. The whole line is clickable. */
export function Switch({ label, text, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-4">
      <span className="grid grow">
        <span className="font-semibold">{label}</span>
        {text && (
          <span id={`${id}-text`} className="text-sm text-ink-soft">
            {text}
          </span>
        )}
      </span>
      <span className="relative inline-flex h-7 w-12 shrink-0">
        <input
          id={id}
          type="checkbox"
          role="switch"
          aria-label={label}
          aria-describedby={text ? `${id}-text` : undefined}
          checked={checked}
          aria-checked={checked}
          onChange={({ target }) => onChange(target.checked)}
          className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full border-2 border-edge bg-sunken transition-colors duration-200 ease-out checked:border-deep checked:bg-deep"
        />
        <span
          aria-hidden
          className={classNames(
            "pointer-events-none absolute top-1.5 size-4 rounded-full transition-all duration-200 ease-out",
            checked ? "start-6.5 bg-on-deep" : "start-1.5 bg-edge",
          )}
        />
      </span>
    </label>
  );
}
