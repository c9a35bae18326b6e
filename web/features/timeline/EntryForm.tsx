import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useMemo, useState } from "react";
import { type Control, Controller, type UseFormReturn, useController, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { exactDay } from "../../../shared/approximate-date.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import type { Memory } from "../../data/memories.queries.ts";
import { changedFields, EditConflict } from "../../data/save-over.ts";
import { type Entry, type EntryText, useSaveEntry } from "../../data/timeline.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { MediaWindow } from "../../media/editor/MediaWindow.tsx";
import { Picture } from "../../media/Picture.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { useStoryMedia } from "../../media/use-story-media.ts";
import { Button } from "../../ui/Button.tsx";
import { ConflictNote } from "../../ui/ConflictNote.tsx";
import { DateInput } from "../../ui/DateInput.tsx";
import { dateOrNull } from "../../ui/date-text.ts";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextField } from "../../ui/TextField.tsx";

interface EntryFormProps {
  client: SupabaseClient;
  memory: Pick<Memory, "id" | "kind">;
  /** The entry to edit; absent for a new entry. */
  entry?: Entry;
  onClosed: () => void;
}

/** Renders the form that adds an entry, or edits one in place. */
export function EntryForm({ client, memory, entry, onClosed }: EntryFormProps) {
  const { t } = useTranslation("stories");
  const event = memory.kind === "event";
  const [id] = useState(() => entry?.id ?? crypto.randomUUID());
  const save = useSaveEntry(client, memory.id, onClosed);
  // The entry as the form opened with it. The cache may hold a newer one, which must not be overwritten unseen.
  const [base] = useState(entry);
  const conflict = save.error instanceof EditConflict ? (save.error as EditConflict<Entry>) : undefined;
  const both = conflict?.fields.includes("note") ? conflict.both({ note: LONGEST_NOTE }) : undefined;
  const text = useEntryValue();
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

  return (
    <Form
      onSubmit={form.handleSubmit((fields) => {
        const entry = entryOf(memory.kind, fields);
        // A value that only the form writes otherwise is no change.
        const changes = base && changedFields(entryOf(memory.kind, fieldsOf(base)), entry);
        save.mutate(base && changes ? { base, changes } : { id, fields: entry });
      })}
      error={save.isError && !conflict ? new Error(t("entry.saveFailed")) : null}
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
      <TextArea label={t("entry.note")} maxLength={LONGEST_NOTE} {...register("note")} />
      <EntryPhotoField client={client} memoryId={memory.id} control={control} />
      {conflict && (
        <ConflictNote
          changes={conflict.fields.map((name) => ({
            label: t(`entry.${LABELS[memory.kind][name as keyof EntryText]}`),
            theirs: text(name, conflict.stored),
            mine: text(name, { ...conflict.stored, ...conflict.changes }),
          }))}
          onMine={() => save.mutate({ base: conflict.stored, changes: conflict.changes })}
          onTheirs={() => save.mutate({ base: conflict.stored, changes: conflict.others })}
          onBoth={both && (() => save.mutate({ base: conflict.stored, changes: both }))}
        />
      )}
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

/** The labels of the columns' fields in the form of each kind of memory. */
const LABELS = {
  tribute: { title: "what", on_date: "when", starts_at: "time", place: "place", note: "note", media_id: "photo" },
  event: { title: "what", on_date: "date", starts_at: "time", place: "place", note: "note", media_id: "photo" },
} as const;

/** Returns a function for the text of an entry's field. */
function useEntryValue() {
  const { t, i18n } = useTranslation("stories");
  return (name: keyof Entry, entry: Entry): string => {
    const value = String(entry[name] ?? "");
    if (!value) return "";
    if (name === "on_date") return writtenDate(value, i18n.language);
    if (name === "starts_at") return value.slice(0, "HH:MM".length);
    return name === "media_id" ? t("entry.aPhoto") : value;
  };
}

interface EntryWhenProps {
  form: UseFormReturn<EntryFields>;
  event: boolean;
  error: (name: keyof EntryFields) => string | undefined;
}

/**
 * Renders the date fields: a date of any precision for a timeline; a time and optionally another day for a programme.
 */
function EntryWhen({ form: { register, control }, event, error }: EntryWhenProps) {
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

interface EntryPhotoFieldProps {
  client: SupabaseClient;
  memoryId: string;
  control: Control<EntryFields>;
}

/** Renders the choice of an entry's photo among the memory's photos. */
function EntryPhotoField({ client, memoryId, control }: EntryPhotoFieldProps) {
  const { t } = useTranslation("stories");
  const text = usePhotoText();
  const { field } = useController({ control, name: "media" });
  const [choosing, setChoosing] = useState(false);
  const ids = useMemo(() => (field.value ? [field.value] : []), [field.value]);
  const { media } = useStoryMedia(client, memoryId, ids);
  const photo = field.value ? media(field.value) : null;
  return (
    <div className="grid justify-items-start gap-2">
      <span className="font-semibold">{t("entry.photo")}</span>
      <div className="flex flex-wrap items-center gap-3">
        {photo && (
          <Picture
            photo={photo}
            src={photo.url && renditionUrl(photo.url, 320)}
            sizes="6rem"
            alt={text(photo)}
            className="size-24 rounded-lg"
          />
        )}
        <Button variant="quiet" size="small" onClick={() => setChoosing(true)}>
          {field.value ? t("entry.changePhoto") : t("entry.choosePhoto")}
        </Button>
        {field.value && (
          <Button variant="plain" size="small" onClick={() => field.onChange(null)}>
            {t("entry.removePhoto")}
          </Button>
        )}
      </div>
      <MediaWindow
        client={client}
        memoryId={memoryId}
        open={choosing}
        onClose={() => setChoosing(false)}
        onChosen={({ id }) => field.onChange(id)}
      />
    </div>
  );
}

const LONGEST_NOTE = 2000;

/** Schema of the entry form's values. Messages are keys of `stories:entry.errors`. */
const shape = z.object({
  title: z.string().trim().min(1, "required").max(200, "tooLong"),
  /** A `TypedDate`. */
  date: z.string(),
  time: z.string(),
  place: z.string().trim().max(200, "tooLong"),
  note: z.string().trim().max(LONGEST_NOTE, "tooLong"),
  media: z.string().nullable(),
});
type EntryFields = z.infer<typeof shape>;

/**
 * Returns the entry schema for a kind of memory. A timeline entry requires at least a year. A part of a programme may
 * have a time, and a day if it differs from the event's.
 */
export const entryFields = (kind: "tribute" | "event") =>
  kind === "event"
    ? shape
    : shape
        .refine(({ date }) => date !== "" && date !== "?year", { path: ["date"], message: "year" })
        .refine(({ date }) => date !== "?day", { path: ["date"], message: "day" });

export const NO_FIELDS: EntryFields = { title: "", date: "", time: "", place: "", note: "", media: null };

export const fieldsOf = (entry: Entry): EntryFields => ({
  title: entry.title,
  date: entry.on_date ?? "",
  time: entry.starts_at?.slice(0, "HH:MM".length) ?? "",
  place: entry.place,
  note: entry.note,
  media: entry.media_id,
});

/** Returns the row for the form's values. */
export function entryOf(kind: "tribute" | "event", { title, date, time, place, note, media }: EntryFields): EntryText {
  const texts = { title, place, note, media_id: media };
  if (kind === "event")
    return {
      ...texts,
      on_date: exactDay(date) ?? null,
      starts_at: time ? time.padEnd("HH:MM:SS".length, ":00") : null,
    };
  return { ...texts, on_date: dateOrNull(date), starts_at: null };
}
