import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "./Button.tsx";
import { classNames } from "./class-names.ts";

export interface CodeFormProps {
  label: string;
  submit: string;
  /** The current code: the field's initial value. */
  code: string | null;
  busy: boolean;
  /** Why the current code is invalid. */
  error?: string | undefined;
  /** The effect of a valid code and the label of its remove button, shown instead of the form. */
  effect?: { text: ReactNode; remove: string } | undefined;
  onApply: (code: string) => void;
  onRemove: () => void;
  className?: string;
}

/** A field for a code. Once the code is valid, its effect replaces the field. */
export function CodeForm({ label, submit, code, busy, error, effect, onApply, onRemove, className }: CodeFormProps) {
  const id = useId();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) onApply(String(new FormData(event.currentTarget).get("code") ?? ""));
  };
  return (
    <div className={classNames("grid content-start gap-1.5", className)}>
      {effect ? (
        <>
          <p className="font-semibold">{label}</p>
          <div className="flex min-h-12 items-center justify-between gap-x-2 rounded-xl bg-wash ps-4 pe-1">
            <p className="min-w-0 py-2 wrap-anywhere">{effect.text}</p>
            <Button variant="plain" size="small" className="shrink-0" onClick={onRemove}>
              {effect.remove}
            </Button>
          </div>
        </>
      ) : (
        <form noValidate onSubmit={apply} className="grid gap-1.5">
          <label htmlFor={id} className="font-semibold">
            {label}
          </label>
          <div className="flex gap-2">
            <input
              id={id}
              name="code"
              key={code ?? ""}
              defaultValue={code ?? ""}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={60}
              aria-invalid={error ? true : undefined}
              aria-describedby={`${id}-said`}
              className={classNames(
                "min-h-12 w-full min-w-0 rounded-xl border bg-raised px-4 text-base text-ink uppercase",
                error ? "border-danger" : "border-edge hover:border-deep",
              )}
            />
            <Button type="submit" variant="quiet" className="min-h-12! shrink-0" aria-disabled={busy} aria-busy={busy}>
              {submit}
            </Button>
          </div>
        </form>
      )}
      {/* Always rendered, so that screen readers announce its changes and the layout stays. */}
      <p id={`${id}-said`} role="status" className="min-h-6 text-sm font-semibold text-danger-text">
        {effect ? "" : error}
      </p>
    </div>
  );
}
