import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { dayOf, END_PRESETS, endAfter, endOn } from "./link-state.ts";

interface LinkEndProps {
  /** When the link ends (ISO 8601); null for never. */
  value: string | null;
  onChange: (end: string | null) => void;
}

/** Chooses until when a link opens: never an end, one of a few, or the end of a day. */
export function LinkEnd({ value, onChange }: LinkEndProps) {
  const { t } = useTranslation("sharing");
  const [day, setDay] = useState(() => (value === null ? "" : dayOf(new Date(value))));
  const [wrong, setWrong] = useState(false);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {END_PRESETS.map((preset) => (
          <Button
            key={preset}
            variant="quiet"
            size="small"
            onClick={() => onChange(endAfter(preset, new Date()).toISOString())}
          >
            {t(`end.${preset}`)}
          </Button>
        ))}
        {value !== null && (
          <Button variant="quiet" size="small" onClick={() => onChange(null)}>
            {t("end.remove")}
          </Button>
        )}
      </div>
      <form
        noValidate
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const end = endOn(day, new Date());
          if (end) onChange(end.toISOString());
          else setWrong(true);
        }}
      >
        <TextField
          type="date"
          label={t("end.day")}
          hint={t("end.dayHint")}
          error={wrong ? t("end.dayWrong") : undefined}
          min={dayOf(new Date())}
          value={day}
          onChange={({ target }) => {
            setDay(target.value);
            setWrong(false);
          }}
        />
        <Button type="submit" size="small" className="min-h-12" disabled={day === ""}>
          {t("end.save")}
        </Button>
      </form>
    </>
  );
}
