import type { SupabaseClient } from "../../lib/request/database-client.ts";
import "../../i18n/namespaces/media.ts";
import "../../i18n/namespaces/stories.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useId, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { Memory } from "../../data/memories.queries.ts";
import { type Entry, useSaveEntry } from "../../data/timeline.queries.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { EntryPhotoField } from "./EntryPhotoField.tsx";
import { EntryWhen } from "./EntryWhen.tsx";
import { type EntryFields, entryFields, entryOf, fieldsOf, NO_FIELDS } from "./entry-text.ts";

interface EntryFormProps {
  client: SupabaseClient;
  memory: Pick<Memory, "id" | "kind">;
  /** What is changed; without it a new one is added. */
  entry?: Entry;
  onClosed: () => void;
}

/** Adds or changes a moment of a life, or a part of a programme, where it stands. */
export function EntryForm({ client, memory, entry, onClosed }: EntryFormProps) {
  const { t } = useTranslation("stories");
  const event = memory.kind === "event";
  const [id] = useState(() => entry?.id ?? crypto.randomUUID());
  const save = useSaveEntry(client, memory.id, onClosed);
  const form = useForm<EntryFields>({
    resolver: zodResolver(entryFields(memory.kind)),
    defaultValues: entry ? fieldsOf(entry) : NO_FIELDS,
  });
  const { register, formState, control, setFocus } = form;
  useEffect(() => setFocus("title"), [setFocus]);
  const error = (name: keyof EntryFields) => {
    const message = formState.errors[name]?.message as "required" | "tooLong" | "year" | "day" | undefined;
    return message && t(`entry.errors.${message}`);
  };
  const noteId = useId();

  return (
    <Form
      onSubmit={form.handleSubmit((fields) => save.mutate({ id, isNew: !entry, words: entryOf(memory.kind, fields) }))}
      error={save.isError ? new Error(t("entry.saveFailed")) : null}
      className="rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6"
    >
      <TextField
        label={t("entry.what")}
        placeholder={event ? t("entry.whatPlaceholderEvent") : t("entry.whatPlaceholder")}
        autoComplete="off"
        maxLength={200}
        error={error("title")}
        {...register("title")}
      />
      <EntryWhen form={form} event={event} error={error} />
      <TextField
        label={t("entry.place")}
        autoComplete="off"
        maxLength={200}
        error={error("place")}
        {...register("place")}
      />
      <div className="grid gap-1.5">
        <label htmlFor={noteId} className="font-semibold">
          {t("entry.note")}
        </label>
        <textarea
          id={noteId}
          rows={3}
          maxLength={2000}
          className="field-sizing-content min-h-24 w-full rounded-xl border border-edge bg-raised px-4 py-3 text-base transition-colors duration-200 ease-out hover:border-deep"
          {...register("note")}
        />
      </div>
      <EntryPhotoField client={client} memoryId={memory.id} control={control} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium" busy={save.isPending}>
          {t("entry.save")}
        </SubmitButton>
        <Button variant="quiet" onClick={onClosed}>
          {t("entry.cancel")}
        </Button>
      </div>
    </Form>
  );
}
