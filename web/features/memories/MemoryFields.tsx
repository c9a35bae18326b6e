import { CalendarHeart, Heart, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Controller, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { DateInput } from "../../ui/DateInput.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { type MemoryFormValues, yearsOfLife } from "./memory-form.ts";

/** Places two dates side by side if each has enough width for the name of a month. */
const BESIDE = "grid gap-5 grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))]";

interface FieldsProps {
  form: UseFormReturn<MemoryFormValues>;
}

/** Returns the texts of the form's errors. */
function useErrorText({ formState }: UseFormReturn<MemoryFormValues>) {
  const { t } = useTranslation("memories");
  return (name: keyof MemoryFormValues) => {
    const message = formState.errors[name]?.message as "required" | "tooLong" | "order" | "year" | "day" | undefined;
    return message && t(`fields.errors.${message}`);
  };
}

/** The kind and the name of a memory, for creating and editing. */
export function NameFields({ form }: FieldsProps) {
  const { t } = useTranslation("memories");
  const { register, control, watch } = form;
  const kind = watch("kind");
  const error = useErrorText(form);
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
    </>
  );
}

/** The dates of a memory, for creating and editing. */
export function DateFields({ form }: FieldsProps) {
  const kind = form.watch("kind");
  return (
    <div className={BESIDE}>
      {kind === "tribute" ? (
        <>
          <OneDate form={form} name="birth" />
          <PassingDate form={form} />
        </>
      ) : (
        <OneDate form={form} name="eventDate" />
      )}
    </div>
  );
}

/** The date of death. Folded until it is asked for, because many tributes are to the living. */
function PassingDate({ form }: FieldsProps) {
  const { t } = useTranslation("memories");
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open) field.current?.querySelector("input")?.focus();
  }, [open]);
  if (!open && !form.watch("passing")) {
    return (
      <Button icon={Plus} variant="plain" className="-ms-5 self-start justify-self-start" onClick={() => setOpen(true)}>
        {t("fields.addPassing")}
      </Button>
    );
  }
  return (
    <div ref={field}>
      <OneDate form={form} name="passing" />
    </div>
  );
}

/** Lives that are longer are asked about, in years. */
const LONGEST_LIFE = 115;

function OneDate({ form, name }: FieldsProps & { name: "birth" | "passing" | "eventDate" }) {
  const { t } = useTranslation("memories");
  const error = useErrorText(form);
  const years = yearsOfLife(form.watch("birth"), form.watch("passing"));
  const isLong = name === "passing" && years !== undefined && years > LONGEST_LIFE;
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <DateInput
          label={t(`fields.${name}`)}
          hint={t("fields.dateHint")}
          error={error(name)}
          question={isLong ? t("fields.longLife", { count: years }) : undefined}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      )}
    />
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
