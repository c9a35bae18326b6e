import { useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/locale.ts";
import { TextField } from "../../../ui/TextField.tsx";
import type { EntryFields } from "./entry-words.ts";

interface EntryWhenProps {
  form: UseFormReturn<EntryFields>;
  event: boolean;
  error: (name: keyof EntryFields) => string | undefined;
}

/** When it was: as much of a date as is known, or the clock and, where it is another one, the day. */
export function EntryWhen({ form: { register }, event, error }: EntryWhenProps) {
  const { t, i18n } = useTranslation("stories");
  const id = useId();
  if (event) {
    return (
      <div className="grid gap-5 sm:grid-cols-2 sm:items-end">
        <TextField type="date" label={t("entry.date")} hint={t("entry.dateHint")} {...register("date")} />
        <TextField type="time" label={t("entry.time")} {...register("time")} />
      </div>
    );
  }
  const month = new Intl.DateTimeFormat(localeOf(i18n.language), { month: "long", timeZone: "UTC" });
  return (
    <fieldset className="m-0 grid gap-1.5" aria-describedby={`${id}-hint`}>
      <legend className="float-start font-semibold">{t("entry.when")}</legend>
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        {t("entry.whenHint")}
      </p>
      <div className="grid grid-cols-[1fr_1.6fr_0.8fr] items-start gap-3">
        <TextField
          label={t("entry.year")}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          error={error("year")}
          {...register("year")}
        />
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-month`} className="font-semibold">
            {t("entry.month")}
          </label>
          <select
            id={`${id}-month`}
            className="min-h-12 w-full rounded-xl border border-edge bg-raised px-3 text-base transition-colors duration-200 ease-out hover:border-deep"
            {...register("month")}
          >
            <option value="">{t("entry.unknown")}</option>
            {Array.from({ length: 12 }, (_, index) => (
              <option key={month.format(Date.UTC(2000, index, 15))} value={String(index + 1)}>
                {month.format(Date.UTC(2000, index, 15))}
              </option>
            ))}
          </select>
        </div>
        <TextField
          label={t("entry.day")}
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          error={error("day")}
          {...register("day")}
        />
      </div>
    </fieldset>
  );
}
