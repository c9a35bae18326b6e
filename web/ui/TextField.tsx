import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";

export interface TextFieldProps extends ComponentProps<"input"> {
  label: string;
  /** What is wrong with the value, said under the field. */
  error?: string;
  hint?: string;
  /** A control inside the field's end, as the switch that shows a password. */
  end?: ReactNode;
}

export function TextField({ label, error, hint, end, id, className, ...input }: TextFieldProps) {
  const own = useId();
  const inputId = id ?? own;
  const described = [hint && `${inputId}-hint`, error && `${inputId}-error`].filter(Boolean).join(" ");
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={inputId} className="font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${inputId}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      <div className="relative">
        <input
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={classNames(
            "min-h-12 w-full rounded-xl border bg-raised px-4 text-base text-ink placeholder:text-ink-soft",
            "transition-colors duration-200 ease-out",
            error ? "border-danger" : "border-edge hover:border-deep",
            end ? "pe-13" : undefined,
          )}
          {...input}
        />
        {end && <div className="absolute inset-y-0 end-0.5 grid place-content-center">{end}</div>}
      </div>
      {error && (
        <p id={`${inputId}-error`} role="alert" className="text-sm font-semibold text-danger-text">
          {error}
        </p>
      )}
    </div>
  );
}
