import { type ComponentProps, useId } from "react";
import { classNames } from "./class-names.ts";

interface TextAreaProps extends ComponentProps<"textarea"> {
  label: string;
  /** What is wrong with the value, said under the field. */
  error?: string;
}

/** A field for several lines of text. */
export function TextArea({ label, error, id, className, ...input }: TextAreaProps) {
  const own = useId();
  const inputId = id ?? own;
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={inputId} className="font-semibold">
        {label}
      </label>
      <textarea
        id={inputId}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${inputId}-error` : undefined}
        className={classNames(
          "block min-h-28 w-full rounded-xl border bg-raised px-4 py-3 text-base text-ink",
          error ? "border-danger" : "border-edge hover:border-deep",
        )}
        {...input}
      />
      {error && (
        <p id={`${inputId}-error`} role="alert" className="text-sm font-semibold text-danger-text">
          {error}
        </p>
      )}
    </div>
  );
}
