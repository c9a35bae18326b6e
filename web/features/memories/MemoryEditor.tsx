import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { toast } from "../../ui/toasts.tsx";
import { MemoryFields } from "./MemoryFields.tsx";
import { type Memory, type MemoryChanges, useChangeMemory } from "./memories.queries.ts";
import { changesOf, MemoryWords, wordsOf } from "./memory-words.ts";

interface MemoryEditorProps {
  memory: Memory;
  /** What is written so far, for the page to show above. */
  onWritten: (changes: MemoryChanges) => void;
  onDone: () => void;
}

/** Changes a memory where it stands; saving shows at once and can be undone. */
export function MemoryEditor({ memory, onWritten, onDone }: MemoryEditorProps) {
  const { t } = useTranslation("memories");
  const change = useChangeMemory(supabase, memory.id);
  const form = useForm<MemoryWords>({ resolver: zodResolver(MemoryWords), defaultValues: wordsOf(memory) });
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => onWritten(changesOf(values)) }),
    [form, onWritten],
  );
  useEffect(() => form.setFocus("name"), [form]);

  const failed = () => toast({ title: t("page.saveFailed"), description: t("page.saveFailedText"), tone: "problem" });
  const save = (words: MemoryWords) => {
    const { kind, person_name, description, birth_date, passing_date, event_date } = memory;
    const before = { kind, person_name, description, birth_date, passing_date, event_date };
    const undo = () => change.mutate(before, { onError: failed });
    // The page shows the change already; a refusal takes it back and says so.
    change.mutate(changesOf(words), {
      onSuccess: () =>
        toast({ title: t("page.saved"), tone: "success", action: { label: t("page.undo"), onSelect: undo } }),
      onError: failed,
    });
    onDone();
  };

  return (
    <Form
      onSubmit={form.handleSubmit(save)}
      className="mx-auto w-full max-w-[42rem] gap-6 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-8"
    >
      <MemoryFields form={form} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium">{t("page.save")}</SubmitButton>
        <Button variant="quiet" onClick={onDone}>
          {t("page.cancel")}
        </Button>
      </div>
    </Form>
  );
}
