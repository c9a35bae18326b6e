import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Sky } from "../../ui/Sky.tsx";
import { Earnings } from "./Earnings.tsx";
import { Terms } from "./Terms.tsx";

const STEPS = ["share", "visit", "earn"] as const;

interface InvitationProps {
  /** The bar at the top, for visitors. */
  bar?: ReactNode;
  /** Buttons to join or sign in. */
  children: ReactNode;
}

/** A description of the affiliate programme under the current sky. */
export function Invitation({ bar, children }: InvitationProps) {
  const { t } = useTranslation("affiliates");
  return (
    <>
      <Heading bar={bar}>{children}</Heading>
      <div className="page-width relative -mt-20 grid gap-16 pb-20 sm:gap-24">
        <Earnings />
        <section aria-labelledby="affiliate-steps" className="grid gap-8">
          <h2 id="affiliate-steps" className="text-center font-serif text-3xl sm:text-4xl">
            {t("steps.title")}
          </h2>
          <ol className="m-0 grid list-none gap-8 p-0 md:grid-cols-3">
            {STEPS.map((step, i) => (
              <li key={step} className="grid content-start gap-2 border-t border-edge/50 pt-5">
                <h3 className="flex items-baseline gap-3 font-serif text-2xl">
                  <span aria-hidden="true" className="text-deep">
                    {i + 1}
                  </span>
                  {t(`steps.${step}.title`)}
                </h3>
                <p className="text-ink-soft">{t(`steps.${step}.text`)}</p>
              </li>
            ))}
          </ol>
        </section>
        <Terms />
      </div>
    </>
  );
}

function Heading({ bar, children }: InvitationProps) {
  const { t } = useTranslation("affiliates");
  return (
    <div className="sky-head relative isolate overflow-hidden text-on-sky">
      <Sky tall className="absolute inset-0 -z-10" />
      <div className="absolute inset-0 -z-10 bg-sky-veil" />
      <div className="page-width pb-36">
        {bar}
        <div className="grid max-w-3xl gap-6 pt-10 sm:pt-16">
          <h1 className="font-serif text-[min(16vw,clamp(2.25rem,1.5rem+3.4vw,4rem))] leading-[1.08] font-medium tracking-[-0.02em] text-balance">
            {t("hero.title")}
          </h1>
          <p className="max-w-2xl text-xl leading-relaxed">{t("hero.text")}</p>
          {children}
        </div>
      </div>
    </div>
  );
}
