import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";

export interface FieldProps {
  label: string;
  hint?: string;
  /** The error message under the field. */
  error?: string;
  id?: string;
  className?: string;
}

interface FrameProps extends FieldProps {
  /** Renders the control with these attributes. */
  children: (control: {
    id: string;
    "aria-invalid": true | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** A control with its label, and optionally a hint and an error. */
export function Field({ label, hint, error, id, className, children }: FrameProps) {
  const own = useId();
  const inputId = id ?? own;
  const described = [hint && `${inputId}-hint`, error && `${inputId}-error`].filter(Boolean).join(" ");
  return (
    <div className={classNames("grid grid-cols-1 content-start gap-1.5", className)}>
      <label htmlFor={inputId} className="font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${inputId}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {children({
        id: inputId,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": described || undefined,
      })}
      {error && (
        <p id={`${inputId}-error`} role="alert" className="text-sm font-semibold text-danger-text">
          {error}
        </p>
      )}
    </div>
  );
}

/** Returns the style of a control's box; the border depends on `error`. */
export const boxOf = (error: string | undefined) =>
  classNames(
    "w-full min-w-0 rounded-xl border bg-raised text-base text-ink transition-colors duration-200 ease-out",
    error ? "border-danger" : "border-edge hover:border-deep",
  );

export interface TextFieldProps extends ComponentProps<"input">, FieldProps {
  id?: string;
  className?: string;
  /** A control inside the field's end, e.g. the button that shows a password. */
  end?: ReactNode;
}

export function TextField({ label, error, hint, end, id, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} id={id} className={className}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            // A person's own words have the direction of their script; an email address or a number is unchanged by it.
            dir="auto"
            className={classNames("min-h-12 px-4 placeholder:text-ink-soft", boxOf(error), end ? "pe-13" : undefined)}
            {...input}
          />
          {end && <div className="absolute inset-y-0 end-0.5 grid place-content-center">{end}</div>}
        </div>
      )}
    </Field>
  );
}
