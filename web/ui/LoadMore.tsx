import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";

/** A paged list, e.g. an infinite query of TanStack Query. */
export interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** Distance from the window at which the next page is loaded. */
const NEAR = "1200px";

/**
 * The end of a paged list. Loads the next page when it comes near the window. It is also a button, for keyboard use and
 * to retry after a failure.
 */
export function LoadMore({ pages, label }: { pages: Pages; label?: string }) {
  const { t } = useTranslation("common");
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const waits = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  // Counts ended fetches. A refetch of the list cancels a pending page without any other signal.
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a try that has ended, whatever came of it, is followed by another
  useEffect(() => {
    const element = end.current;
    if (!element || !waits) return;
    // A new observer after each page reports at once whether the end is still near. A busy page gets several entries in
    // one call.
    const observer = new IntersectionObserver(
      (moments) => {
        if (!moments.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        void Promise.resolve(fetchNextPage()).finally(() => setTries((before) => before + 1));
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
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
