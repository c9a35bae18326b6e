import "../../i18n/namespaces/home.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { Closing } from "./Closing.tsx";
import { FreePlan } from "./FreePlan.tsx";
import { Hero } from "./Hero.tsx";
import { MetalCardOffer } from "./MetalCardOffer.tsx";
import { Questions } from "./Questions.tsx";
import { Steps } from "./Steps.tsx";

/**
 * What a visitor sees: the sky of their hour, how it works, what is free, and answers. `switches`, for language and
 * theme, are given where neither header nor footer offer them; the page then brings its own bar and its own end.
 */
export function VisitorHome({ switches }: { switches?: ReactNode }) {
  const { t } = useTranslation("home");
  usePageTitle(t("hero.tagline"));
  return (
    <>
      <Hero bar={switches !== undefined} />
      <div className="mx-auto grid max-w-7xl gap-24 px-5 pt-10 pb-20 sm:gap-32 sm:px-8 sm:pt-16">
        <p className="mx-auto max-w-3xl text-center font-serif text-2xl leading-snug text-balance sm:text-3xl">
          {t("promise")}
        </p>
        <Steps />
        <FreePlan />
        <MetalCardOffer />
        <Questions />
      </div>
      {switches && <Closing>{switches}</Closing>}
    </>
  );
}
