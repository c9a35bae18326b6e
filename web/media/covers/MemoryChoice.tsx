import { useTranslation } from "react-i18next";
import type { MemorySummary } from "../../data/memories.queries.ts";
import type { MediaUrlCache } from "../media-url-cache.ts";
import { useMediaUrls } from "../use-media-urls.ts";
import { Cover, useDatesOrCreated } from "./MemoryCover.tsx";

interface MemoryChoiceProps {
  memory: MemorySummary;
  urls: MediaUrlCache;
  disabled?: boolean;
  onChoose: () => void;
}

/** A memory to choose in a list: its cover, name, dates and number of photos. */
export function MemoryChoice({ memory, urls, disabled, onChoose }: MemoryChoiceProps) {
  const { t } = useTranslation("memories");
  const { cover } = memory;
  const dates = useDatesOrCreated();
  const nearCover = useMediaUrls(cover, urls);
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onChoose}
      className="flex w-full cursor-pointer items-center gap-4 rounded-2xl p-2 text-start transition-colors duration-200 ease-out hover:bg-wash disabled:opacity-60"
    >
      <Cover
        memory={memory}
        cover={cover}
        urls={nearCover}
        sizes="72px"
        className="h-14 w-18 shrink-0 overflow-hidden rounded-xl"
      />
      <span className="grid min-w-0">
        <span dir="auto" className="line-clamp-2 font-semibold">
          {memory.person_name}
        </span>
        <span className="truncate text-sm text-ink-soft">{dates(memory)}</span>
        <span className="text-sm text-ink-soft">{t("list.photos", { count: memory.photo_count })}</span>
      </span>
    </button>
  );
}
