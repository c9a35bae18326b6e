import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "../../ui/Empty.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Gallery } from "./photos/gallery/Gallery.tsx";
import { Lightbox, type PhotoActions } from "./photos/lightbox/Lightbox.tsx";
import type { useMemoryPhotos } from "./photos/use-memory-photos.ts";

interface PhotoSectionProps {
  photos: ReturnType<typeof useMemoryPhotos>;
  /** Present for the memory's owner. */
  actions?: PhotoActions;
  /** Beside the title. */
  tools?: ReactNode;
  /** Photos are on their way. */
  arriving?: boolean;
  /** Between the title and the photos, as those on their way. */
  children?: ReactNode;
  onFailed?: () => void;
}

/** A memory's photos on its page, whoever looks at it. */
export function PhotoSection({
  photos: { query, photos, urls, renew },
  actions,
  tools,
  arriving,
  children,
  onFailed,
}: PhotoSectionProps) {
  const { t } = useTranslation("media");
  const failed = () => {
    renew();
    onFailed?.();
  };
  return (
    <section aria-labelledby="photos" className="mx-auto grid w-full max-w-[100rem] gap-6 px-3 pb-16 sm:px-8">
      <div className="flex flex-wrap items-center justify-between gap-3 px-2 sm:px-0">
        <h2 id="photos" className="font-serif text-2xl sm:text-3xl">
          {t("photos")}
          {photos.length > 0 && <span className="ms-3 font-sans text-base text-ink-soft">{photos.length}</span>}
        </h2>
        {tools}
      </div>
      {children}
      {query.isPending ? (
        <div className="flex flex-wrap gap-2">
          {[1.5, 0.75, 1.3, 1, 1.6, 1.2].map((ratio) => (
            <Skeleton key={ratio} className="h-38 grow rounded-md sm:h-64" />
          ))}
        </div>
      ) : query.isError ? (
        <Problem error={new Error(t("failed"))} retry={query.refetch} />
      ) : photos.length === 0 ? (
        !arriving && <Empty title={t("none")} text={actions ? t("noneOwner") : t("noneVisitor")} />
      ) : (
        <Gallery photos={photos} urls={urls} onFailed={failed} />
      )}
      <Lightbox photos={photos} urls={urls} actions={actions} onFailed={failed} />
    </section>
  );
}
