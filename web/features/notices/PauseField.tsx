import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/TextField.tsx";

interface PauseFieldProps {
  until: string | null;
  onChange: (until: string | null) => void;
  text: string;
}

const inDays = (days: number) => {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");
};

/** Renders the field that pauses notices until a chosen day, or ends the pause earlier. */
export function PauseField({ until, onChange, text }: PauseFieldProps) {
  const { t, i18n } = useTranslation("notices");
  const paused = until !== null && until >= inDays(1);
  // A calendar day has no time zone.
  const day = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "long", timeZone: "UTC" });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
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
        <div className="flex flex-wrap items-end gap-2">
          <Button variant="quiet" size="small" onClick={() => onChange(inDays(7))}>
            {t("settings.pause.week")}
          </Button>
          <Button variant="quiet" size="small" onClick={() => onChange(inDays(30))}>
            {t("settings.pause.month")}
          </Button>
          <TextField
            type="date"
            className="w-48 max-w-full"
            label={t("settings.pause.day")}
            min={inDays(1)}
            max="9999-12-31"
            onBlur={({ target }) => {
              if (target.value >= inDays(1)) onChange(target.value);
            }}
          />
        </div>
      )}
    </div>
  );
}
