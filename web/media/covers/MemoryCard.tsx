import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { MemorySummary } from "../../data/memories.queries.ts";
import { paths } from "../../paths.ts";
import { classNames } from "../../ui/class-names.ts";
import { useUploadsLeft } from "../uploads/use-uploads.ts";
import { useMediaUrls } from "../use-media-urls.ts";
import { CARD_SIZES, CoverCard } from "./CoverCard.tsx";
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
  const remaining = useUploadsLeft(memory.id);
  const facts =
    remaining > 0
      ? t("list.uploading", { count: remaining })
      : memory.photo_count === 0
        ? t("list.noPhotos")
        : t("list.photos", { count: memory.photo_count });
  return (
    <article className="group relative">
      <CoverCard
        to={to ?? (memory.draft ? paths.newMemory() : paths.memory(memory.id))}
        name={memory.person_name || t("list.unnamed")}
        picture={
          <Cover
            memory={memory}
            cover={memory.cover}
            urls={urls}
            sizes={CARD_SIZES}
            eager={eager}
            className="size-full"
          />
        }
      >
        <p className="text-ink-soft empty:hidden">
          <MemoryDates memory={memory} />
        </p>
        <p className="text-sm text-ink-soft">{facts}</p>
      </CoverCard>
      {memory.draft && <Badge className="left-4">{t("list.unfinished")}</Badge>}
      {waiting > 0 && <Badge className="right-4">{t("list.waiting", { count: waiting })}</Badge>}
    </article>
  );
}

const Badge = ({ className, children }: { className: string; children: ReactNode }) => (
  <span
    className={classNames(
      "pointer-events-none absolute top-4 rounded-full bg-teal px-3 py-0.5 text-sm font-semibold text-night",
      className,
    )}
  >
    {children}
  </span>
);
