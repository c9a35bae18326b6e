import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Wordmark } from "../../ui/Wordmark.tsx";

/** The end of the page, with language and theme. */
export function Closing({ children }: { children: ReactNode }) {
  const { t } = useTranslation("home");
  return (
    <div className="border-t border-line bg-sunken">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-6 px-5 py-10 sm:px-8">
        <div className="grid gap-2">
          <Wordmark />
          <p className="text-ink-soft">{t("hero.tagline")}</p>
        </div>
        <div className="flex flex-wrap gap-3">{children}</div>
      </div>
    </div>
  );
}
