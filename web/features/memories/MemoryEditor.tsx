import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { Memory, MemoryChanges } from "../../data/memories.queries.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { DateFields, NameFields } from "./MemoryFields.tsx";
import { changesOf, formValuesOf, MemoryFormValues } from "./memory-form.ts";

interface MemoryEditorProps {
  memory: Memory;
  /** Receives the form's values at each change; the page shows them above the form. */
  onWritten: (changes: MemoryChanges) => void;
  /** Receives the values, and the memory with which the form opened. */
  onSave: (values: MemoryFormValues, base: Memory) => void;
  onCancel: () => void;
}

/** Edits a memory on its page. */
export function MemoryEditor({ memory, onWritten, onSave, onCancel }: MemoryEditorProps) {
  const { t } = useTranslation("memories");
  const [base] = useState(memory);
  const form = useForm<MemoryFormValues>({
    resolver: zodResolver(MemoryFormValues),
    defaultValues: formValuesOf(memory),
  });
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => onWritten(changesOf(values)) }),
    [form, onWritten],
  );
  useEffect(() => form.setFocus("name"), [form]);

  return (
    <Form
      onSubmit={form.handleSubmit((values) => onSave(values, base))}
      className="w-full max-w-[42rem] gap-6 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-8"
    >
      <NameFields form={form} />
      <DateFields form={form} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium">{t("page.save")}</SubmitButton>
        <Button variant="quiet" onClick={onCancel}>
          {t("page.cancel")}
        </Button>
      </div>
    </Form>
  );
}
