import { Plus, Trash2 } from "lucide-react";
import { type UseFormReturn, useFieldArray } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { MOST_QUESTIONS, type SettingsFieldError, type SettingsFields } from "./settings-fields.ts";

const KINDS = ["text", "one", "several"] as const;
const SUGGESTIONS = [
  ["diet", "several"],
  ["allergies", "text"],
  ["song", "text"],
  ["bus", "one"],
  ["night", "one"],
] as const;

/** The hosts' own questions: prepared ones and others. */
export function QuestionsEditor({ form }: { form: UseFormReturn<SettingsFields> }) {
  const { t } = useTranslation("dayReplies");
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "questions", keyName: "key" });
  const { register, formState, watch } = form;
  const questions = watch("questions").map(({ text }) => text);
  const offered = SUGGESTIONS.filter(([name]) => !questions.includes(t(`suggestions.${name}.text`)));
  const errorOf = (place: number, field: "text" | "choices") => {
    const message = formState.errors.questions?.[place]?.[field]?.message as SettingsFieldError | undefined;
    return message && { error: t(`settings.errors.${message}`) };
  };
  const add = (question: Omit<SettingsFields["questions"][number], "id">) =>
    append({ id: crypto.randomUUID(), ...question });
  return (
    <section aria-label={t("settings.questions")} className="grid gap-4">
      <div className="grid gap-0.5">
        <h4 className="font-semibold">{t("settings.questions")}</h4>
        <p className="text-sm text-ink-soft">{t("settings.questionsHint")}</p>
      </div>
      {fields.map(({ key }, place) => (
        <div key={key} className="grid gap-4 rounded-2xl bg-wash p-4">
          <div className="flex items-end gap-1">
            <TextField
              className="grow"
              label={t("settings.question", { number: place + 1 })}
              autoComplete="off"
              {...errorOf(place, "text")}
              {...register(`questions.${place}.text`)}
            />
            <IconButton
              icon={Trash2}
              label={t("settings.removeQuestion", { number: place + 1 })}
              className="mb-0.5"
              onClick={() => remove(place)}
            />
          </div>
          <SelectField
            label={t("settings.kind", { number: place + 1 })}
            options={KINDS.map((kind) => [kind, t(`settings.kinds.${kind}`)])}
            {...register(`questions.${place}.kind`)}
          />
          {watch(`questions.${place}.kind`) !== "text" && (
            <TextArea
              label={t("settings.choices", { number: place + 1 })}
              hint={t("settings.choicesHint")}
              {...errorOf(place, "choices")}
              {...register(`questions.${place}.choices`)}
            />
          )}
        </div>
      ))}
      {fields.length < MOST_QUESTIONS && (
        <div className="flex flex-wrap gap-2">
          {offered.map(([name, kind]) => (
            <Button
              key={name}
              icon={Plus}
              variant="quiet"
              size="small"
              onClick={() =>
                add({
                  kind,
                  text: t(`suggestions.${name}.text`),
                  choices: kind === "text" ? "" : t(`suggestions.${name}.choices`),
                })
              }
            >
              {t(`suggestions.${name}.text`)}
            </Button>
          ))}
          <Button icon={Plus} variant="quiet" size="small" onClick={() => add({ kind: "text", text: "", choices: "" })}>
            {t("settings.addQuestion")}
          </Button>
        </div>
      )}
    </section>
  );
}
