import { LoaderCircle, TriangleAlert } from "lucide-react";
import type { ComponentProps } from "react";
import { Button, type ButtonProps } from "./Button.tsx";
import { classNames } from "./class-names.ts";

interface FormProps extends ComponentProps<"form"> {
  /** The server's error, shown inside the form. */
  error?: Error | null;
}

/** A form without the browser's validation messages. Errors are shown at the fields and at the top of the form. */
export function Form({ error, className, children, ...rest }: FormProps) {
  return (
    <form noValidate className={classNames("grid gap-5", className)} {...rest}>
      {error && (
        <p role="alert" className="flex gap-3 rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          {error.message}
        </p>
      )}
      {children}
    </form>
  );
}

/** The submit button of a form. `busy` shows a spinner and marks the button as disabled. */
export function SubmitButton({ busy, children, ...rest }: ButtonProps & { busy?: boolean }) {
  return (
    <Button type="submit" size="large" aria-disabled={busy} aria-busy={busy} {...rest}>
      {busy && <LoaderCircle aria-hidden className="size-5 motion-safe:animate-spin" />}
      {children}
    </Button>
  );
}
