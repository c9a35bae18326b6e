import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Sky } from "../../ui/Sky.tsx";

const AddByLink = lazy(() => import("./AddByLink.tsx"));

interface UploadOnlyProps {
  share: OpenedShareContext & { memoryId: string };
  /** Footer of the page. */
  children?: ReactNode;
}

/** The page of an upload-only link. It shows nothing of the memory, not even its name. */
export function UploadOnly({ share, children }: UploadOnlyProps) {
  const { t } = useTranslation("guests");
  usePageTitle(t("only.page"));
  return (
    <article className="grid gap-8 pb-16">
      <header className="relative isolate grid min-h-56 content-end overflow-hidden px-5 py-8 sm:min-h-72 sm:px-8">
        <div className="absolute inset-0 -z-10">
          <Sky className="size-full" />
        </div>
        <div className="mx-auto grid w-full max-w-[44rem] gap-2 rounded-3xl bg-raised/95 px-5 py-6 text-ink sm:px-8">
          <h1 className="font-serif text-[1.75rem] leading-tight sm:text-4xl">{t("only.title")}</h1>
          <p className="text-ink-soft">{t("only.text")}</p>
        </div>
      </header>
      <div className="mx-auto w-full max-w-[44rem] px-3 sm:px-0">
        <Suspense fallback={<Skeleton className="h-64 rounded-3xl" />}>
          <AddByLink share={share} />
        </Suspense>
      </div>
      {children}
    </article>
  );
}
