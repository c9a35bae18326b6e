import { type ReactNode, useId } from "react";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

interface SegmentedControlProps<T extends string> {
  /** The accessible name. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: { value: T; label: ReactNode; lang?: string }[];
}

/** A choice between a few visible options. Transparent native radio buttons cover the options. */
export function SegmentedControl<T extends string>({ label, value, onChange, options }: SegmentedControlProps<T>) {
  const name = useId();
  return (
    <fieldset className="m-0 inline-flex max-w-full flex-wrap rounded-3xl border border-line bg-sunken p-1">
      <legend>
        <VisuallyHidden>{label}</VisuallyHidden>
      </legend>
      {options.map((option) => (
        <label
          key={option.value}
          lang={option.lang}
          className="relative inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-full px-4 font-semibold text-ink-soft transition-colors duration-200 ease-out hover:text-ink has-checked:bg-raised has-checked:text-deep has-checked:shadow-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-deep"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
