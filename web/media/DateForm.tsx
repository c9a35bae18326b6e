import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../shared/approximate-date.ts";
import { Button } from "../ui/Button.tsx";
import { DateInput } from "../ui/DateInput.tsx";
import { dateOrNull, type TypedDate } from "../ui/date-text.ts";
import { SubmitButton } from "../ui/Form.tsx";

interface DateFormProps {
  /** The date of all selected photos; null if they differ or have none. */
  date: ApproximateDate | null;
  /** Whether there is a date to remove. */
  removable: boolean;
  /** Takes the focus when it opens outside of a dialog. */
  focused?: boolean;
  onSave: (date: ApproximateDate | null) => void;
  onCancel: () => void;
}

/** A form for the date of photos, with any precision. */
export function DateForm({ date, removable, focused, onSave, onCancel }: DateFormProps) {
  const { t } = useTranslation(["gallery", "memories"]);
  const [typed, setTyped] = useState<TypedDate>(() => date?.replace(/T.*/, "") ?? "");
  const [wrong, setWrong] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!focused) return;
    form.current?.querySelector("input")?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  }, [focused]);
  const problem = typed === "?day" ? "day" : "year";
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    const date = dateOrNull(typed);
    if (date) onSave(date);
    else setWrong(true);
  };
  return (
    <form ref={form} noValidate onSubmit={save} className="grid gap-4">
      <DateInput
        label={t("date.label")}
        hint={t("memories:fields.dateHint")}
        error={wrong && !dateOrNull(typed) ? t(`memories:fields.errors.${problem}`) : undefined}
        value={typed}
        onChange={setTyped}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium">{t("date.save")}</SubmitButton>
        <Button variant="quiet" onClick={onCancel}>
          {t("date.cancel")}
        </Button>
        {removable && (
          <Button variant="plain" className="-me-5 ms-auto" onClick={() => onSave(null)}>
            {t("date.remove")}
          </Button>
        )}
      </div>
    </form>
  );
}
