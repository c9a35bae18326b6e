import { Smartphone } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { askToInstall, storeFirstVisit, useInstallOffer } from "../lib/browser/use-install.ts";
import { Button } from "./Button.tsx";

interface InstallLineProps {
  /** The name of the offer, by which a dismissal is stored. */
  page: string;
  text: string;
  /** Offers it from the day after the first visit. */
  laterDay?: boolean;
}

/** Renders the offer to put the page on a phone's home screen, until it was dismissed. Nothing where that is impossible. */
export function InstallLine({ page, text, laterDay }: InstallLineProps) {
  const { t } = useTranslation("install");
  const { way, dismiss } = useInstallOffer(page, { laterDay });
  useEffect(() => storeFirstVisit(page), [page]);
  if (!way) return null;
  return (
    <section className="grid justify-items-center gap-3 text-center text-base text-ink-soft print:hidden">
      <p className="max-w-md text-balance">{text}</p>
      {way === "by hand" && <p className="max-w-md text-balance">{t("byHand")}</p>}
      <div className="flex flex-wrap justify-center gap-2">
        {way === "prompt" && (
          <Button
            variant="quiet"
            size="small"
            icon={Smartphone}
            onClick={() => {
              askToInstall();
              dismiss();
            }}
          >
            {t("add")}
          </Button>
        )}
        <Button variant="plain" size="small" onClick={dismiss}>
          {t("later")}
        </Button>
      </div>
    </section>
  );
}
