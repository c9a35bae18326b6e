import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { kindOf } from "../../../data/photo.ts";
import { EditConflict } from "../../../data/save-over.ts";
import { browserStorage, keepJson, readJson } from "../../../lib/browser/storage.ts";
import { useAutosave } from "../../../lib/browser/use-autosave.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { ConflictNote } from "../../../ui/ConflictNote.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { type CaptionRow, type CaptionValues, useDescribe } from "../photos.queries.ts";

/** Maximum lengths, as on the server; the first is that of the words of a recording or a back, and of the text of a paper. */
const MOST_WORDS = 20_000;
const LONGEST = { caption: 2000, alt_text: 1000, back_text: MOST_WORDS };

/** Renders the form of a photo's caption and description, which is saved automatically. */
export function CaptionForm({ client, photo }: { client: SupabaseClient; photo: Photo }) {
  const { t } = useTranslation("gallery");
  const { values, saving, conflict, write, save, settle } = useCaptionForm(client, photo);
  const about = ({ audio: "words", paper: "text", image: "alt", video: "alt" } as const)[kindOf(photo)];
  const longest = about === "alt" ? LONGEST : { ...LONGEST, alt_text: MOST_WORDS };
  const both = conflict?.both(longest);
  return (
    <div className="grid gap-4">
      <TextArea
        label={t("details.caption")}
        hint={t("details.captionHint")}
        value={values.caption}
        maxLength={LONGEST.caption}
        rows={1}
        onChange={({ target }) => write({ caption: target.value })}
        onBlur={save}
      />
      <TextArea
        label={t(`details.${about}`)}
        hint={t(`details.${about}Hint`)}
        value={values.alt_text}
        maxLength={longest.alt_text}
        rows={1}
        onChange={({ target }) => write({ alt_text: target.value })}
        onBlur={save}
      />
      {photo.has_back && (
        <TextArea
          label={t("details.back")}
          hint={t("details.backHint")}
          value={values.back_text}
          maxLength={LONGEST.back_text}
          rows={1}
          onChange={({ target }) => write({ back_text: target.value })}
          onBlur={save}
        />
      )}
      {conflict && (
        <ConflictNote
          changes={conflict.fields.map((name) => ({
            label: t(LABELS[name] ?? `details.${about}`),
            theirs: String(conflict.stored[name]),
            mine: String(conflict.changes[name] ?? ""),
          }))}
          onMine={() => settle(conflict.stored, conflict.changes)}
          onTheirs={() => settle(conflict.stored, conflict.others)}
          onBoth={both && (() => settle(conflict.stored, both))}
        />
      )}
      <p role="status" className="min-h-6 text-sm text-ink-soft">
        {saving === "saving" && t("details.saving")}
        {saving === "saved" && t("details.saved")}
        {saving === "failed" && !conflict && t("details.notSaved")}
      </p>
    </div>
  );
}

/** Changed fields, and the stored row on which they are based. */
interface Draft {
  base: CaptionRow;
  changes: Partial<CaptionValues>;
}

const keyOf = (photoId: string) => `skies-words-${photoId}`;

/** The names of the fields that are the same for all kinds. */
const LABELS: Partial<Record<keyof CaptionRow, "details.caption" | "details.back">> = {
  caption: "details.caption",
  back_text: "details.back",
};

const rowOf = ({ caption, alt_text, back_text, revision }: Photo): CaptionRow => ({
  caption,
  alt_text,
  back_text,
  revision,
});

/**
 * Returns the values of a photo's form. Changed ones are stored in the browser with every change, together with the row
 * on which they are based, and on the server when typing pauses or another photo opens. A failed save is retried when the
 * photo opens again.
 */
function useCaptionForm(client: SupabaseClient, photo: Photo) {
  const { id } = photo;
  const { mutateAsync } = useDescribe(client, photo);
  const [draft, setDraft] = useState<Draft | undefined>(() => readDraft(photo));
  const current = useRef(draft);
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const keepDraft = useCallback(
    (next: Draft | undefined) => {
      current.current = next;
      setDraft(next);
      keepJson(browserStorage, keyOf(id), next);
    },
    [id],
  );

  // Saves run in sequence, so that each is based on the row that the one before has stored.
  const send = useCallback(
    (changes: Partial<CaptionValues>) => {
      const saving = queue.current.then(async () => {
        const before = current.current;
        if (!before) return;
        const base = await mutateAsync({ base: before.base, changes });
        if (current.current) keepDraft({ ...current.current, base });
      });
      queue.current = saving.catch(() => {});
      return saving;
    },
    [mutateAsync, keepDraft],
  );

  const { state, error, write, save, forget } = useAutosave({
    keep: send,
    unsaved: draft?.changes,
    onKept: () => keepDraft(undefined),
  });

  const change = (changes: Partial<CaptionValues>) => {
    const before = current.current;
    // A field is based on what the page showed when it was first changed.
    const first = Object.keys(changes).filter((name) => before?.changes[name as keyof CaptionValues] === undefined);
    const fresh = Object.fromEntries(first.map((name) => [name, photo[name as keyof CaptionValues]]));
    const next = {
      base: before ? { ...before.base, ...fresh } : rowOf(photo),
      changes: { ...before?.changes, ...changes },
    };
    keepDraft(next);
    write(next.changes);
  };

  /** Saves what was chosen after a conflict over the other person's row. */
  const settle = (base: CaptionRow, changes: Partial<CaptionValues>) => {
    forget();
    keepDraft({ base, changes });
    write(changes);
    void save();
  };

  useEffect(() => {
    void save();
  }, [save]);

  const conflict =
    state === "failed" && error instanceof EditConflict ? (error as EditConflict<CaptionRow>) : undefined;
  const { caption, alt_text, back_text } = photo;
  const values = { caption, alt_text, back_text, ...draft?.changes };
  return { values, saving: state, conflict, write: change, save, settle };
}

function readDraft(photo: Photo): Draft | undefined {
  const { base, changes, ...former } = (readJson(browserStorage, keyOf(photo.id)) ?? {}) as Partial<
    Draft & CaptionValues
  >;
  if (base && changes) return { base, changes };
  // Earlier versions stored both texts, without what they were based on.
  const isText = typeof former.caption === "string" && typeof former.alt_text === "string";
  return isText ? { base: rowOf(photo), changes: former } : undefined;
}
