import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";

/** A list that is read in pages, as TanStack Query's infinite queries are. */
export interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** The next page is read when its beginning is nearer to the window than this. */
const NEAR = "1200px";

/**
 * Stands at the end of a list that is read in pages, and reads the next one when it comes near the window. As a button it
 * does the same for those who come to it by keyboard, and where the last try has failed.
 */
export function LoadMore({ pages, label }: { pages: Pages; label?: string }) {
  const { t } = useTranslation("common");
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const waits = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  // Reading the list again takes the place of a page that is on its way, and nothing else reports that.
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a try that has ended, whatever came of it, is followed by another
  useEffect(() => {
    const element = end.current;
    if (!element || !waits) return;
    // Made anew after each page: it tells at once whether the end is still in sight. A busy page learns of several
    // moments together.
    const seen = new IntersectionObserver(
      (moments) => {
        if (!moments.some(({ isIntersecting }) => isIntersecting)) return;
        seen.disconnect();
        void Promise.resolve(fetchNextPage()).finally(() => setTries((before) => before + 1));
      },
      { rootMargin: NEAR },
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, [waits, fetchNextPage, tries]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className="grid justify-items-center gap-2 py-2">
      {isFetchNextPageError && (
        <p role="alert" className="text-danger-text">
          {t("pages.failed")}
        </p>
      )}
      <Button
        variant="quiet"
        aria-busy={isFetchingNextPage}
        onClick={() => {
          if (!isFetchingNextPage) fetchNextPage();
        }}
      >
        {isFetchNextPageError ? t("problem.retry") : (label ?? t("pages.more"))}
      </Button>
    </div>
  );
}
