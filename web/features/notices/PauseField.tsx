import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exactDay } from "../../../shared/approximate-date.ts";
import { localDay } from "../../lib/formatting/local-day.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { Button } from "../../ui/Button.tsx";
import { DateInput } from "../../ui/DateInput.tsx";
import { dateOrNull, type TypedDate } from "../../ui/date-text.ts";

interface PauseFieldProps {
  until: string | null;
  onChange: (until: string | null) => void;
  text: string;
}

const inDays = (days: number) => {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return localDay(day);
};

/** Renders the field that pauses notices until a chosen day, or ends the pause earlier. */
export function PauseField({ until, onChange, text }: PauseFieldProps) {
  const { t, i18n } = useTranslation("notices");
  const paused = until !== null && until >= inDays(1);
  // A calendar day has no time zone.
  const day = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "long", timeZone: "UTC" });
  return (
    <div className="grid gap-3">
      <div>
        <p className="font-semibold">{t("settings.pause.title")}</p>
        <p className="text-sm text-ink-soft">
          {paused ? t("settings.pause.until", { day: day.format(new Date(`${until}T00:00:00Z`)) }) : text}
        </p>
      </div>
      {paused ? (
        <Button variant="quiet" size="small" className="justify-self-start" onClick={() => onChange(null)}>
          {t("settings.pause.end")}
        </Button>
      ) : (
        <>
          <div className="flex flex-wrap gap-2">
            <Button variant="quiet" size="small" onClick={() => onChange(inDays(7))}>
              {t("settings.pause.week")}
            </Button>
            <Button variant="quiet" size="small" onClick={() => onChange(inDays(30))}>
              {t("settings.pause.month")}
            </Button>
          </div>
          <PauseUntil onChange={onChange} />
        </>
      )}
    </div>
  );
}

/** Renders the form of a pause until a typed day. */
function PauseUntil({ onChange }: Pick<PauseFieldProps, "onChange">) {
  const { t } = useTranslation("notices");
  const [typed, setTyped] = useState<TypedDate>("");
  const [wrong, setWrong] = useState(false);
  const day = exactDay(dateOrNull(typed));
  const until = day !== undefined && day >= inDays(1) ? day : undefined;
  return (
    <form
      noValidate
      className="grid max-w-sm justify-items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (until) onChange(until);
        else setWrong(true);
      }}
    >
      <DateInput
        exact
        label={t("settings.pause.day")}
        error={wrong && !until ? t("settings.pause.wrong") : undefined}
        value={typed}
        onChange={setTyped}
      />
      <Button type="submit" variant="quiet" size="small">
        {t("settings.pause.start")}
      </Button>
    </form>
  );
}
