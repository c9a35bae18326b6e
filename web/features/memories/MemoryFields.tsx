import { CalendarHeart, Heart } from "lucide-react";
import { useId } from "react";
import { Controller, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { TextField } from "../../ui/TextField.tsx";
import type { MemoryWords } from "./memory-words.ts";

/** Who or what, when, and a few words: the fields of a memory, new or being changed. */
export function MemoryFields({ form }: { form: UseFormReturn<MemoryWords> }) {
  const { t } = useTranslation("memories");
  const { register, control, watch, formState } = form;
  const kind = watch("kind");
  const error = (name: keyof MemoryWords) => {
    const message = formState.errors[name]?.message as "required" | "tooLong" | "order" | undefined;
    return message && t(`fields.errors.${message}`);
  };
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
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField type="date" label={t("fields.birth")} error={error("birth")} {...register("birth")} />
          <TextField type="date" label={t("fields.passing")} error={error("passing")} {...register("passing")} />
        </div>
      ) : (
        <TextField type="date" label={t("fields.eventDate")} error={error("eventDate")} {...register("eventDate")} />
      )}
      <StoryField form={form} error={error("story")} />
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

/** A field that grows with what is written in it. */
function StoryField({ form, error }: { form: UseFormReturn<MemoryWords>; error: string | undefined }) {
  const { t } = useTranslation("memories");
  const id = useId();
  const [kind, story] = form.watch(["kind", "story"]);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {t("fields.story")}
      </label>
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        {t("fields.storyHint")}
      </p>
      {/* The hidden twin is as tall as the text, and the textarea as tall as its twin. */}
      <div className="grid font-serif text-lg leading-relaxed *:col-start-1 *:row-start-1 *:min-h-44 *:rounded-xl *:border *:px-4 *:py-3">
        <span
          aria-hidden
          className="invisible border-transparent break-words whitespace-pre-wrap"
        >{`${story}\n\n`}</span>
        <textarea
          id={id}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ""}`}
          aria-invalid={error ? true : undefined}
          placeholder={kind === "tribute" ? t("fields.storyPlaceholder") : t("fields.storyEventPlaceholder")}
          className="resize-none overflow-hidden border-edge bg-raised text-ink transition-colors duration-200 ease-out placeholder:text-ink-soft hover:border-deep"
          {...form.register("story")}
        />
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-danger-text">
          {error}
        </p>
      )}
    </div>
  );
}
