import { ChevronLeft, ChevronRight, ScrollText } from "lucide-react";
import { type ComponentProps, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLatest } from "../../../lib/browser/use-latest.ts";
import { pageUrl } from "../../../lib/request/rendition-url.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { lightboxSrcSet } from "./animation.ts";
import { hasOwnKeys, LightboxPhoto } from "./LightboxPhoto.tsx";

type LightboxPaperProps = ComponentProps<typeof LightboxPhoto>;

/** The steps of keys. The arrows turn pages first, and go on to the next photo at the last page. */
const STEPS: Record<string, number> = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1 };

/** Renders the open page of a paper, which can be zoomed and swiped like a photo, and the paper's text beside it. */
export function LightboxPaper({ photo, onMove, onZoom, onFailed, marks }: LightboxPaperProps) {
  const { t } = useTranslation(["gallery", "media"]);
  const { picture } = useKnownMediaUrls(photo);
  const pages = photo.pages ?? 1;
  const [page, setPage] = useState(1);
  const [failedPage, setFailedPage] = useState<string>();
  const [reading, setReading] = useState(() => matchMedia("(min-width: 64rem)").matches);
  const isReading = reading && photo.alt_text !== "";

  /** Turns a page; returns false at either end. */
  const turn = (step: number) => {
    if (page + step < 1 || page + step > pages) return false;
    onZoom();
    setPage(page + step);
    return true;
  };
  useKeys(turn);

  // The pages beside the open one, so that turning is at once.
  useEffect(() => {
    for (const beside of [page + 1, page - 1]) {
      if (!picture || beside < 1 || beside > pages) continue;
      const image = new Image();
      image.sizes = "100vw";
      image.srcset = lightboxSrcSet(pageUrl(picture, beside), photo, false);
    }
  }, [picture, page, pages, photo]);

  const url = picture && pageUrl(picture, page);
  return (
    <div className="grid size-full grid-rows-[minmax(0,1fr)_auto]">
      <div
        className={classNames(
          "grid min-h-0 gap-2",
          isReading && "max-lg:grid-rows-2 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,26rem)]",
        )}
      >
        <div className="relative min-h-0 min-w-0">
          {failedPage && failedPage === url ? (
            <p role="status" className="grid size-full place-content-center px-8 text-center text-white/85">
              {t("paper.failed")}
            </p>
          ) : (
            <>
              {/* Covered by the page, which may have to be rendered first. */}
              <p aria-hidden className="absolute inset-0 grid place-content-center text-white/70">
                {t("media:waiting")}
              </p>
              <LightboxPhoto
                key={page}
                photo={photo}
                page={page}
                // Points are on the first page, which is the picture.
                marks={page === 1 ? marks : undefined}
                onMove={(meaning) => {
                  if (meaning === "close" || !turn(meaning === "next" ? 1 : -1)) onMove(meaning);
                }}
                onZoom={onZoom}
                onFailed={() => {
                  setFailedPage(url);
                  onFailed();
                }}
              />
            </>
          )}
        </div>
        {isReading && (
          <section
            aria-label={t("details.text")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
            tabIndex={0}
            className="overflow-y-auto px-5 py-3 max-lg:border-t max-lg:border-white/15 sm:max-lg:px-20 lg:mr-16"
          >
            <p dir="auto" className="font-serif text-lg whitespace-pre-line wrap-anywhere">
              {photo.alt_text}
            </p>
          </section>
        )}
      </div>
      <div className="flex min-h-11 items-center justify-center gap-1">
        {pages > 1 && (
          <>
            <IconButton
              icon={ChevronLeft}
              label={t("paper.previous")}
              disabled={page === 1}
              onClick={() => turn(-1)}
              className={BUTTON}
            />
            <p role="status" className="min-w-28 text-center text-sm tabular-nums">
              {t("paper.page", { page, count: pages })}
            </p>
            <IconButton
              icon={ChevronRight}
              label={t("paper.next")}
              disabled={page === pages}
              onClick={() => turn(1)}
              className={BUTTON}
            />
          </>
        )}
        {photo.alt_text && (
          <IconButton
            icon={ScrollText}
            label={t("paper.read")}
            aria-pressed={isReading}
            onClick={() => setReading(!isReading)}
            className={classNames(BUTTON, isReading && "text-teal!")}
          />
        )}
      </div>
    </div>
  );
}

const BUTTON = "hover:bg-white/15! hover:text-white! disabled:opacity-35";

/** Turns pages by keys, before the lightbox goes to another photo. */
function useKeys(turn: (step: number) => boolean) {
  const latest = useLatest(turn);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (step === undefined || hasOwnKeys(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!latest.current(step)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, []);
}
