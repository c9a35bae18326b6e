import { type ComponentProps, useId } from "react";
import { classNames } from "./class-names.ts";

interface SelectFieldProps extends ComponentProps<"select"> {
  label: string;
  /** What can be chosen: its value, and how it is called. */
  options: readonly (readonly [value: string, name: string])[];
}

/** A choice of one among several, by the browser's own list. */
export function SelectField({ label, options, className, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={classNames("grid content-start gap-1.5", className)}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        id={id}
        className="min-h-12 w-full min-w-0 rounded-xl border border-edge bg-raised px-3 text-base text-ink transition-colors duration-200 ease-out hover:border-deep"
        {...select}
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
