import { Play, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteSlideshow } from "../../actions/slideshow-deletions.ts";
import type { Photo } from "../../data/media.queries.ts";
import type { Memory } from "../../data/memories.queries.ts";
import { photosOf, type Slideshow, useSaveSlideshow } from "../../data/slideshows.queries.ts";
import { useDraft } from "../../data/use-draft.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { writtenDuration } from "../../lib/formatting/duration.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { ConflictNote } from "../../ui/ConflictNote.tsx";
import { SelectField } from "../../ui/SelectField.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { FilmPanel } from "./FilmPanel.tsx";
import { MusicFields } from "./MusicFields.tsx";
import { SlideshowPhotos } from "./SlideshowPhotos.tsx";

const SlideshowPlayer = lazyPart(() => import("./SlideshowPlayer.tsx"), "over the page");

const PACES = [3, 4, 5, 6, 8, 10, 15, 20, 30];

interface SlideshowStudioProps {
  memory: Memory;
  stored: Slideshow;
  /** Everything in the memory. */
  media: readonly Photo[];
}

/** Everything that makes a slideshow. Each change is saved at once. */
export function SlideshowStudio({ memory, stored, media }: SlideshowStudioProps) {
  const { t } = useTranslation("slideshows");
  const { draft, change, save, conflict, failed, settle } = useDraft(useSaveSlideshow(supabase, memory.id), stored);
  const remove = useDeleteSlideshow(memory.id);
  const [playing, setPlaying] = useState(false);
  const photos = photosOf(draft, media);
  const labels: Partial<Record<keyof Slideshow, string>> = {
    title: t("name"),
    pace: t("pace.label"),
    shows_captions: t("captions"),
    music_id: t("music.label"),
    music_is_allowed: t("music.allowed"),
    pictures: t("photosTitle"),
  };
  const textOf = (field: keyof Slideshow, value: Slideshow[keyof Slideshow] | undefined) => {
    if (field === "pictures") return t("photos", { count: (value as string[]).length });
    if (field === "music_id") return value ? t("music.label") : t("music.silent");
    return typeof value === "boolean" ? (value ? t("on") : t("off")) : String(value ?? "");
  };
  const paces = PACES.includes(draft.pace) ? PACES : [...PACES, draft.pace].sort((a, b) => a - b);
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={Play} size="large" disabled={photos.length === 0} onClick={() => setPlaying(true)}>
          {t("play")}
        </Button>
        <p className="grow text-ink-soft">
          {t("card.length", {
            photos: t("photos", { count: photos.length }),
            time: writtenDuration(photos.length * draft.pace),
          })}
        </p>
        <Button icon={Trash2} variant="plain" onClick={() => remove(draft.id)}>
          {t("remove")}
        </Button>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)] lg:gap-12">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <TextField
            label={labels.title ?? ""}
            value={draft.title}
            maxLength={120}
            error={draft.title.trim() === "" ? t("nameMissing") : undefined}
            onChange={({ target }) => change({ title: target.value })}
            onBlur={() => draft.title.trim() !== "" && save()}
          />
          <SelectField
            label={labels.pace ?? ""}
            value={draft.pace}
            onChange={({ target }) => save({ pace: Number(target.value) })}
            options={paces.map((pace) => [String(pace), t("pace.seconds", { count: pace })] as const)}
          />
          <Switch
            label={t("captions")}
            text={t("captionsText")}
            checked={draft.shows_captions}
            onChange={(shows_captions) => save({ shows_captions })}
          />
          <MusicFields recordings={media.filter(({ type }) => type === "audio")} draft={draft} onSave={save} />
        </div>
        <SlideshowPhotos
          all={media}
          order={memory.media_order}
          photos={photos}
          onChange={(pictures) => save({ pictures })}
        />
      </div>
      {conflict && (
        <ConflictNote
          changes={conflict.fields.map((field) => ({
            label: labels[field] ?? "",
            theirs: textOf(field, conflict.stored[field]),
            mine: textOf(field, conflict.changes[field]),
          }))}
          onMine={() => settle("mine")}
          onTheirs={() => settle("theirs")}
        />
      )}
      {failed && (
        <p role="alert" className="text-danger-text">
          {t("saveFailed")}
        </p>
      )}
      <FilmPanel memoryId={memory.id} slideshow={draft} changes={stored.changes} hasPhotos={photos.length > 0} />
      <Suspense>
        {playing && (
          <SlideshowPlayer
            slideshow={draft}
            photos={photos}
            music={media.find(({ id }) => id === draft.music_id)}
            onClose={() => setPlaying(false)}
          />
        )}
      </Suspense>
    </article>
  );
}
