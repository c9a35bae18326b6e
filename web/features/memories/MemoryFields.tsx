import { CalendarHeart, Heart } from "lucide-react";
import { Controller, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DateInput } from "../../ui/DateInput.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { TextField } from "../../ui/TextField.tsx";
import type { MemoryFormValues } from "./memory-form.ts";

/** Places two dates side by side if each has enough width for the name of a month. */
const BESIDE = "grid gap-5 grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))]";

/** The fields of a memory, for creating and editing. */
export function MemoryFields({ form }: { form: UseFormReturn<MemoryFormValues> }) {
  const { t } = useTranslation("memories");
  const { register, control, watch, formState } = form;
  const kind = watch("kind");
  const error = (name: keyof MemoryFormValues) => {
    const message = formState.errors[name]?.message as "required" | "tooLong" | "order" | "year" | "day" | undefined;
    return message && t(`fields.errors.${message}`);
  };
  const date = (name: "birth" | "passing" | "eventDate") => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <DateInput
          label={t(`fields.${name}`)}
          hint={t("fields.dateHint")}
          error={error(name)}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      )}
    />
  );
  return (
    <>
      <Controller
        control={control}
        name="kind"
        render={({ field }) => (
          <div className="grid justify-items-start gap-2">
            <span aria-hidden className="font-semibold">
              {t("fields.kind")}
            </span>
            <SegmentedControl
              label={t("fields.kind")}
              value={field.value}
              onChange={field.onChange}
              options={[
                { value: "tribute", label: <KindLabel icon={Heart} text={t("fields.tribute")} /> },
                { value: "event", label: <KindLabel icon={CalendarHeart} text={t("fields.event")} /> },
              ]}
            />
          </div>
        )}
      />
      <TextField
        label={kind === "tribute" ? t("fields.name") : t("fields.title")}
        placeholder={kind === "tribute" ? t("fields.namePlaceholder") : t("fields.titlePlaceholder")}
        autoComplete="off"
        maxLength={200}
        error={error("name")}
        {...register("name")}
      />
      {kind === "tribute" ? (
        <div className={BESIDE}>
          {date("birth")}
          {date("passing")}
        </div>
      ) : (
        <div className={BESIDE}>{date("eventDate")}</div>
      )}
    </>
  );
}

function KindLabel({ icon: Icon, text }: { icon: typeof Heart; text: string }) {
  return (
    <>
      <Icon aria-hidden className="size-5" />
      {text}
    </>
  );
}
