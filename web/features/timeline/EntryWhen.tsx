import { Controller, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DateInput } from "../../ui/DateInput.tsx";
import { TextField } from "../../ui/TextField.tsx";
import type { EntryFields } from "./entry-text.ts";

interface EntryWhenProps {
  form: UseFormReturn<EntryFields>;
  event: boolean;
  error: (name: keyof EntryFields) => string | undefined;
}

/** When it was: as much of a date as is known, or the clock and, where it is another one, the day. */
export function EntryWhen({ form: { register, control }, event, error }: EntryWhenProps) {
  const { t } = useTranslation("stories");
  if (event) {
    return (
      <div className="grid gap-5 sm:grid-cols-2 sm:items-end">
        <TextField type="date" label={t("entry.date")} hint={t("entry.dateHint")} {...register("date")} />
        <TextField type="time" label={t("entry.time")} {...register("time")} />
      </div>
    );
  }
  return (
    <Controller
      control={control}
      name="date"
      render={({ field }) => (
        <DateInput
          label={t("entry.when")}
          hint={t("entry.whenHint")}
          error={error("date")}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      )}
    />
  );
}
