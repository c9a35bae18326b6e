import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

interface SegmentedControlProps<T extends string> {
  /** The accessible name. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: { value: T; label: ReactNode; lang?: string }[];
  /** Shows the options below each other, always or on phones, if they do not fit in one row. */
  column?: "always" | "phones";
}

const COLUMNS = {
  always: "grid w-full max-w-sm",
  phones: "inline-flex flex-wrap max-sm:grid max-sm:w-full",
};

/** A choice between a few visible options. Transparent native radio buttons cover the options. */
export function SegmentedControl<T extends string>(props: SegmentedControlProps<T>) {
  const { label, value, onChange, options, column } = props;
  const name = useId();
  return (
    <fieldset
      className={classNames(
        "m-0 max-w-full rounded-3xl border border-line bg-sunken p-1",
        column ? COLUMNS[column] : "inline-flex flex-wrap",
      )}
    >
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
