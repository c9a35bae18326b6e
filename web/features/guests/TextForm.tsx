import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";

interface TextFormProps {
  label: string;
  hint?: string;
  submit: string;
  initial?: string;
  /** Characters. */
  longest: number;
  /** Whether nothing at all may be saved, as for a caption. */
  mayBeEmpty?: boolean;
  busy: boolean;
  /** Why the last try was refused. */
  problem?: string;
  /** Each time that the text changes, as to keep it. */
  onWritten?: (text: string) => void;
  onSave: (text: string) => void;
  onCancel: () => void;
}

/** Where somebody writes a few words. */
export function TextForm(props: TextFormProps) {
  const {
    label,
    hint,
    submit,
    initial = "",
    longest,
    mayBeEmpty = false,
    busy,
    problem,
    onWritten,
    onSave,
    onCancel,
  } = props;
  const { t } = useTranslation("guests");
  const id = useId();
  const [text, setText] = useState(initial);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && (mayBeEmpty || text.trim() !== "")) onSave(text.trim());
  };
  return (
    <form onSubmit={save} className="grid gap-2">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      <textarea
        id={id}
        // Anyone who opened it is about to write.
        ref={(field) => field?.focus()}
        rows={4}
        maxLength={longest}
        value={text}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => {
          setText(target.value);
          onWritten?.(target.value);
        }}
        className="block min-h-28 w-full rounded-2xl border border-edge bg-raised px-4 py-3 text-base text-ink hover:border-deep"
      />
      {problem && (
        <p role="alert" className="text-sm font-semibold text-danger-text">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="plain" size="small" onClick={onCancel}>
          {t("write.cancel")}
        </Button>
        <Button type="submit" size="small" disabled={!mayBeEmpty && text.trim() === ""} aria-busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
