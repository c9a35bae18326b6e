import { ChevronLeft, ChevronRight } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import type { Page } from "./sheets.ts";

const PagePicture = lazyPart(() => import("./PagePicture.tsx"));

interface PreviewProps {
  pages: readonly Page[];
  /** What is printed, e.g. "8 cards". */
  name: string;
}

/** The sheets as they are printed, one at a time. */
export function Preview({ pages, name }: PreviewProps) {
  const { t } = useTranslation("printing");
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, pages.length - 1);
  const page = pages[at];
  if (!page) return null;
  const numbers = { number: at + 1, count: pages.length };
  return (
    <div className="grid gap-2">
      <Suspense fallback={<Skeleton className="h-96" />}>
        <PagePicture page={page} label={t("preview.alt", { format: name, ...numbers })} />
      </Suspense>
      {pages.length > 1 && (
        <div className="flex items-center justify-between gap-2">
          <IconButton
            icon={ChevronLeft}
            label={t("preview.previous")}
            aria-disabled={at === 0}
            onClick={() => setChosen(Math.max(0, at - 1))}
          />
          <p aria-live="polite" className="text-sm text-ink-soft tabular-nums">
            {t("preview.page", numbers)}
          </p>
          <IconButton
            icon={ChevronRight}
            label={t("preview.next")}
            aria-disabled={at === pages.length - 1}
            onClick={() => setChosen(Math.min(pages.length - 1, at + 1))}
          />
        </div>
      )}
    </div>
  );
}
