import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { boxOf, Field, type FieldProps } from "./TextField.tsx";

type TextAreaProps = ComponentProps<"textarea"> & FieldProps;

/** A multi-line text field. It grows with its text, from `rows` lines. */
export function TextArea({ label, hint, error, id, className, rows = 3, ...input }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} id={id} className={className}>
      {(control) => (
        <textarea
          {...control}
          dir="auto"
          rows={rows}
          style={{ minHeight: `${rows * 1.5 + 1.625}rem` }}
          className={classNames("field-sizing-content block px-4 py-3", boxOf(error))}
          {...input}
        />
      )}
    </Field>
  );
}
