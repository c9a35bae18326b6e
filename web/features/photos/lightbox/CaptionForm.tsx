import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { browserStorage, keepJson, readJson } from "../../../lib/browser/storage.ts";
import { useAutosave } from "../../../lib/browser/use-autosave.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { TextArea } from "../../../ui/TextArea.tsx";
import { type CaptionValues, useDescribe } from "../photos.queries.ts";

/** As long as the server keeps them. */
const LONGEST_CAPTION = 2000;
const LONGEST_ALT = 1000;

/** Where a photo's caption and its description are written; there is no button to forget. */
export function CaptionForm({ client, photo }: { client: SupabaseClient; photo: Photo }) {
  const { t } = useTranslation("gallery");
  const { words, saving, write, save } = useCaptionForm(client, photo);
  return (
    <div className="grid gap-4">
      <TextArea
        label={t("details.caption")}
        hint={t("details.captionHint")}
        value={words.caption}
        maxLength={LONGEST_CAPTION}
        rows={1}
        onChange={({ target }) => write({ caption: target.value })}
        onBlur={save}
      />
      <TextArea
        label={t("details.alt")}
        hint={t("details.altHint")}
        value={words.alt_text}
        maxLength={LONGEST_ALT}
        rows={1}
        onChange={({ target }) => write({ alt_text: target.value })}
        onBlur={save}
      />
      <p role="status" className="min-h-6 text-sm text-ink-soft">
        {saving === "saving" && t("details.saving")}
        {saving === "saved" && t("details.saved")}
        {saving === "failed" && t("details.notSaved")}
      </p>
    </div>
  );
}

const keyOf = (photoId: string) => `skies-words-${photoId}`;

/**
 * What is being written of a photo: kept in the browser with every letter, and at the server when writing pauses or the
 * photo is left. What could not be kept there is still here when the photo is opened again, and tried again.
 */
function useCaptionForm(client: SupabaseClient, photo: Photo) {
  const { mutateAsync } = useDescribe(client, photo);
  const [draft, setDraft] = useState<CaptionValues | undefined>(() => readDraft(photo.id));
  const { id } = photo;
  const { state, write, save } = useAutosave({
    keep: mutateAsync,
    unsaved: draft,
    onKept: () => {
      writeDraft(id, undefined);
      setDraft(undefined);
    },
  });

  const change = (changes: Partial<CaptionValues>) => {
    const words = { caption: photo.caption, alt_text: photo.alt_text, ...draft, ...changes };
    setDraft(words);
    writeDraft(id, words);
    write(words);
  };

  useEffect(() => {
    void save();
  }, [save]);

  return { words: draft ?? photo, saving: state, write: change, save };
}

function readDraft(photoId: string): CaptionValues | undefined {
  const kept = readJson(browserStorage, keyOf(photoId)) as Partial<CaptionValues> | undefined;
  return typeof kept?.caption === "string" && typeof kept.alt_text === "string" ? (kept as CaptionValues) : undefined;
}

const writeDraft = (photoId: string, words: CaptionValues | undefined) =>
  keepJson(browserStorage, keyOf(photoId), words);
