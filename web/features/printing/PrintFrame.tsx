import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { paths } from "../../paths.ts";

interface PrintFrameProps {
  memoryId: string;
  /** The memory's name, once it has loaded. */
  name: string | undefined;
  title: string;
  text: string;
  children: ReactNode;
}

/** A page for printing something of a memory, with the way back to it. */
export function PrintFrame({ memoryId, name, title, text, children }: PrintFrameProps) {
  const { t } = useTranslation("printing");
  usePageTitle(title);
  return (
    <div className="page-width grid grid-cols-[minmax(0,1fr)] content-start gap-8 py-8 sm:py-12">
      <div className="grid gap-3">
        <p>
          <Link
            to={paths.memory(memoryId)}
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-deep no-underline hover:underline"
          >
            <ArrowLeft aria-hidden className="size-5 shrink-0" />
            <span className="wrap-anywhere">{t("back", { name: name ?? "…" })}</span>
          </Link>
        </p>
        <h1 className="font-serif text-4xl sm:text-5xl">{title}</h1>
        <p className="max-w-prose text-ink-soft">{text}</p>
      </div>
      {children}
    </div>
  );
}
