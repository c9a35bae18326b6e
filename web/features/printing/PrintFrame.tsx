import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { paths } from "../../paths.ts";
import { BackHead } from "../../ui/BackHead.tsx";

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
      <BackHead to={paths.memory(memoryId)} back={t("back", { name: name ?? "…" })} title={title} text={text} />
      {children}
    </div>
  );
}
