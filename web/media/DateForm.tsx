import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../shared/approximate-date.ts";
import { Button } from "../ui/Button.tsx";
import { DateInput } from "../ui/DateInput.tsx";
import { dateOrNull, type TypedDate } from "../ui/date-text.ts";
import { SubmitButton } from "../ui/Form.tsx";

interface DateFormProps {
  /** What they all have now; null where they differ or have none. */
  date: ApproximateDate | null;
  /** Whether there is a date that can be taken away. */
  removable: boolean;
  /** Takes the focus when it opens, where it is not a window of its own. */
  focused?: boolean;
  onSave: (date: ApproximateDate | null) => void;
  onCancel: () => void;
}

/** Asks when photos were taken, as exactly as somebody knows. */
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
    const known = dateOrNull(typed);
    if (known) onSave(known);
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
