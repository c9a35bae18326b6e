import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { TextArea } from "../../ui/TextArea.tsx";

interface TextFormProps {
  label: string;
  hint?: string;
  submit: string;
  initial?: string;
  /** The maximum number of characters. */
  longest: number;
  /** Whether empty text can be saved, e.g. as a caption. */
  mayBeEmpty?: boolean;
  busy: boolean;
  /** The error of the last attempt. */
  problem?: string;
  /** Called with each change of the text. */
  onWritten?: (text: string) => void;
  onSave: (text: string) => void;
  onCancel: () => void;
}

/** A form for a short text. */
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
  const [text, setText] = useState(initial);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && (mayBeEmpty || text.trim() !== "")) onSave(text.trim());
  };
  return (
    <form onSubmit={save} className="grid gap-2">
      <TextArea
        label={label}
        hint={hint}
        error={problem}
        // Focused, because the person opened the form to write.
        ref={(field) => field?.focus()}
        rows={4}
        maxLength={longest}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          onWritten?.(target.value);
        }}
      />
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
