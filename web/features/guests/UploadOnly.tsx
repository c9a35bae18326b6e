import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Sky } from "../../ui/Sky.tsx";

const AddByLink = lazyPart(() => import("./AddByLink.tsx"));

const COLUMN = "page-width grid gap-8 [&>*]:max-w-[44rem]";

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
    <article className="grid grid-cols-[minmax(0,1fr)] gap-8 pb-16">
      <header className="relative isolate grid min-h-56 grid-cols-[minmax(0,1fr)] content-end overflow-hidden py-8 sm:min-h-72">
        <div className="absolute inset-0 -z-10">
          <Sky className="size-full" />
        </div>
        <div className={COLUMN}>
          <div className="grid gap-2 rounded-3xl border border-line bg-raised/95 p-5 text-ink sm:p-6">
            <h1 className="font-serif text-[1.75rem] leading-tight sm:text-4xl">{t("only.title")}</h1>
            <p className="text-ink-soft">{t("only.text")}</p>
          </div>
        </div>
      </header>
      <div className={COLUMN}>
        <Suspense fallback={<Skeleton className="h-64 rounded-3xl" />}>
          <AddByLink share={share} />
        </Suspense>
        {children}
      </div>
    </article>
  );
}
