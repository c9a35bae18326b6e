import { Plus, X } from "lucide-react";
import { type UseFormReturn, useFieldArray } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { MOST_PERSONS, type ReplyFieldError, type ReplyFields } from "./reply-fields.ts";

interface NameFieldsProps {
  form: UseFormReturn<ReplyFields>;
  /** The largest number of persons of the reply. */
  most: number | null;
  /** Whether only the person who replies is named. */
  alone: boolean;
  /** Whether a manager writes the reply. */
  host: boolean;
}

/** Who comes: the person who replies first, and the others, who may stay without a name. */
export function NameFields({ form, most, alone, host }: NameFieldsProps) {
  const { t } = useTranslation("dayReplies");
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "names" });
  const errorOf = (place: number) => {
    const message = form.formState.errors.names?.[place]?.name?.message as ReplyFieldError | undefined;
    return message && { error: t(`form.errors.${message}`) };
  };
  return (
    <div className="grid gap-4">
      {(alone ? fields.slice(0, 1) : fields).map(({ id }, place) => (
        <div key={id} className="flex items-end gap-1">
          <TextField
            className="grow"
            label={place > 0 ? t("form.companion", { number: place + 1 }) : host ? t("form.hostName") : t("form.name")}
            {...(place > 0 && { placeholder: t("form.companionHint") })}
            autoComplete={place === 0 && !host ? "name" : "off"}
            {...errorOf(place)}
            {...form.register(`names.${place}.name`)}
          />
          {place > 0 && (
            <IconButton
              icon={X}
              label={t("form.removePerson", { number: place + 1 })}
              className="mb-0.5"
              onClick={() => remove(place)}
            />
          )}
        </div>
      ))}
      {!alone && fields.length < (most ?? MOST_PERSONS) && (
        <div className="grid justify-items-start gap-1.5">
          <Button icon={Plus} variant="quiet" onClick={() => append({ name: "" })}>
            {t("form.add")}
          </Button>
          <p className="text-sm text-ink-soft">{t("form.addHint")}</p>
        </div>
      )}
    </div>
  );
}
