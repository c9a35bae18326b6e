import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { RichTextField } from "../../media/editor/RichTextField.tsx";
import type { MemoryFormValues } from "./memory-form.ts";

/** The story of a memory in the making; it is kept with the draft. */
export function StoryField({ memoryId, form }: { memoryId: string; form: UseFormReturn<MemoryFormValues> }) {
  const { t } = useTranslation("memories");
  const kind = form.watch("kind");
  const error = form.formState.errors.story;
  return (
    <RichTextField
      client={supabase}
      memoryId={memoryId}
      label={t("fields.story")}
      placeholder={kind === "tribute" ? t("fields.storyPlaceholder") : t("fields.storyEventPlaceholder")}
      error={error && t("fields.errors.tooLong")}
      html={form.getValues("story")}
      onChange={(html) => form.setValue("story", html, { shouldDirty: true, shouldValidate: error !== undefined })}
    />
  );
}
