import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { MemorySummary } from "../../data/memories.queries.ts";
import { paths } from "../../paths.ts";
import { useUploadsLeft } from "../uploads/use-uploads.ts";
import { useMediaUrls } from "../use-media-urls.ts";
import { Cover, MemoryDates } from "./MemoryCover.tsx";

interface MemoryCardProps {
  memory: MemorySummary;
  eager: boolean;
  /** The number of contributions that wait for approval. */
  waiting?: number;
  /** Its target, if not the memory's page. */
  to?: string;
}

/** A memory in a list: cover, name and counts. */
export function MemoryCard({ memory, eager, waiting = 0, to }: MemoryCardProps) {
  const urls = useMediaUrls(memory.cover);
  const { t } = useTranslation(["memories", "media"]);
  const left = useUploadsLeft(memory.id);
  const facts =
    left > 0
      ? t("list.uploading", { count: left })
      : memory.photo_count === 0
        ? t("list.noPhotos")
        : t("list.photos", { count: memory.photo_count });
  return (
    <article className="group relative isolate grid aspect-4/3 items-end overflow-clip rounded-3xl bg-night text-white shadow-soft transition-shadow duration-300 ease-out focus-within:shadow-lifted hover:shadow-lifted">
      <div className="absolute inset-0 -z-20 transition-transform duration-300 ease-out group-hover:scale-[1.02]">
        <Cover
          memory={memory}
          cover={memory.cover}
          urls={urls}
          sizes="(min-width: 1280px) 400px, (min-width: 640px) 50vw, 100vw"
          eager={eager}
          className="size-full"
        />
      </div>
      <div className="absolute inset-0 -z-10 bg-linear-to-t from-black/80 via-black/25 to-transparent" />
      {memory.draft && (
        <span className="absolute top-4 left-4 rounded-full bg-teal px-3 py-0.5 text-sm font-semibold text-night">
          {t("list.unfinished")}
        </span>
      )}
      {waiting > 0 && (
        <span className="absolute top-4 right-4 rounded-full bg-teal px-3 py-0.5 text-sm font-semibold text-night">
          {t("list.waiting", { count: waiting })}
        </span>
      )}
      <div className="grid gap-1 p-5 sm:p-6">
        <h2 dir="auto" className="font-serif text-2xl leading-tight wrap-anywhere sm:text-[1.75rem]">
          <Link
            to={to ?? (memory.draft ? paths.newMemory() : paths.memory(memory.id))}
            className="text-white no-underline outline-none after:absolute after:inset-0 after:rounded-3xl focus-visible:after:outline-3 focus-visible:after:-outline-offset-4 focus-visible:after:outline-teal"
          >
            {memory.person_name || t("list.unnamed")}
          </Link>
        </h2>
        <p className="text-white/90 empty:hidden">
          <MemoryDates memory={memory} />
        </p>
        <p className="text-sm text-white/80">{facts}</p>
      </div>
    </article>
  );
}
