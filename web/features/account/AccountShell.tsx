import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { isStorageBlocked } from "../../lib/browser/storage.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { paths } from "../../paths.ts";
import { Sky } from "../../ui/Sky.tsx";
import { Wordmark } from "../../ui/Wordmark.tsx";

interface AccountShellProps {
  title: string;
  text: ReactNode;
  children?: ReactNode;
}

/** The layout of sign-in pages: the form beside the current sky. */
export function AccountShell({ title, text, children }: AccountShellProps) {
  const { t } = useTranslation("account");
  const hydrated = useHydrated();
  const [blocked] = useState(isStorageBlocked);
  usePageTitle(title);
  return (
    // Fills the page's height, with or without the header.
    <div className="grid min-h-[inherit] grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_minmax(32rem,42rem)] lg:grid-rows-1">
      <div className="relative h-36 overflow-hidden sm:h-48 lg:h-auto">
        <Sky className="absolute inset-0" />
      </div>
      <div className="mx-auto grid w-full max-w-lg grid-cols-[minmax(0,1fr)] content-start gap-8 px-4 py-8 sm:px-6 lg:py-[max(3rem,12vh)]">
        {/* Hidden below the app's header, which already shows the product's name. */}
        <Link
          to={paths.start()}
          className="-my-2 inline-flex min-h-11 items-center justify-self-start no-underline [header~main_&]:hidden"
        >
          <Wordmark />
        </Link>
        <div className="grid gap-2">
          <h1 className="font-serif text-3xl leading-tight sm:text-4xl">{title}</h1>
          <div className="text-ink-soft">{text}</div>
        </div>
        {hydrated && blocked && (
          <p role="status" className="rounded-xl bg-wash px-4 py-3">
            {t("storageBlocked")}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
