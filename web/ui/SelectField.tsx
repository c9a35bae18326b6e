import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { boxOf, Field, type FieldProps } from "./TextField.tsx";

interface SelectFieldProps extends Omit<ComponentProps<"select">, "children" | "id" | "className">, FieldProps {
  /** The options: value and visible name. */
  options: readonly (readonly [value: string, name: string])[];
}

/** A labelled native select. */
export function SelectField({ label, hint, error, options, id, className, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} id={id} className={className}>
      {(control) => (
        <select {...control} className={classNames("min-h-12 px-3", boxOf(error))} {...select}>
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
