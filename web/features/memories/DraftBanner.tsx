import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Cover, MemoryDates } from "../../media/covers/MemoryCover.tsx";
import { useObjectUrl } from "../../media/uploads/UploadRow.tsx";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { changesOf, type MemoryFormValues } from "./memory-form.ts";
import type { DraftPhotosState } from "./use-draft-photos.ts";

interface DraftBannerProps {
  draftId: string;
  words: MemoryFormValues;
  photos: DraftPhotosState;
}

/** The memory as it will look: its cover, or the sky of its date, with the name as it is being written. */
export function DraftBanner({ draftId, words, photos }: DraftBannerProps) {
  const { t } = useTranslation("memories");
  const [today] = useState(() => new Date().toISOString());
  const { birth_date = null, passing_date = null, event_date = null } = changesOf(words);
  const memory = { id: draftId, created_at: today, kind: words.kind, birth_date, passing_date, event_date };
  const { cover, coverOnItsWay, urls } = photos;
  const nearCover = useMediaUrls(cover, urls);
  const preview = useObjectUrl(coverOnItsWay?.file);
  const [unknown, setUnknown] = useState<string>();
  return (
    <header className="relative isolate grid h-40 items-end overflow-hidden rounded-3xl bg-night text-white sm:h-64">
      <div className="absolute inset-0 -z-20">
        <Cover
          memory={memory}
          cover={cover}
          urls={nearCover}
          sizes="(min-width: 1152px) 1088px, 100vw"
          eager
          className="size-full"
        />
        {preview && preview !== unknown && (
          <img
            src={preview}
            alt=""
            onError={() => setUnknown(preview)}
            className="absolute inset-0 size-full object-cover"
          />
        )}
      </div>
      <div className="absolute inset-0 -z-10 bg-linear-to-t from-black/75 via-black/20 to-transparent" />
      <div className="grid gap-1 p-6 sm:p-8">
        <h1 className="font-serif text-3xl leading-tight break-words sm:text-5xl">
          {words.name.trim() || t("new.title")}
        </h1>
        <p className="text-white/90 empty:hidden">
          <MemoryDates memory={memory} />
        </p>
      </div>
    </header>
  );
}
