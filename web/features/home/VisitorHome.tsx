import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { ProductPicture } from "../../ui/ProductPicture.tsx";
import { QuestionList } from "../../ui/QuestionList.tsx";
import { Sky } from "../../ui/Sky.tsx";
import { Wordmark } from "../../ui/Wordmark.tsx";
import { HeroBar } from "./HeroBar.tsx";
import { QrPicture } from "./QrPicture.tsx";
import { Steps } from "./Steps.tsx";

/**
 * The visitors' home page. `switches` contains the language and theme switches. It is passed only if the page has no
 * header and footer; the page then shows its own bar and closing section.
 */
export function VisitorHome({ switches }: { switches?: ReactNode }) {
  const { t } = useTranslation("home");
  usePageTitle(t("hero.tagline"));
  return (
    <>
      <Hero bar={switches !== undefined} />
      <div className="page-width grid gap-24 pt-10 pb-20 sm:gap-32 sm:pt-16">
        <p className="mx-auto max-w-3xl text-center font-serif text-2xl leading-snug text-balance sm:text-3xl">
          {t("promise")}
        </p>
        <div className="-mt-10 grid justify-items-center sm:-mt-14">
          <ProductPicture name="phone" className="w-72 sm:hidden!" />
          <ProductPicture name="memory" className="w-full max-w-5xl max-sm:hidden!" />
        </div>
        <Steps />
        <FreePlan />
        <MetalCardOffer />
        <Questions />
      </div>
      {switches && <Closing>{switches}</Closing>}
    </>
  );
}

/** The current sky, the tagline and one button. */
function Hero({ bar }: { bar: boolean }) {
  const { t } = useTranslation("home");
  return (
    <section className="sky-head relative isolate grid min-h-[min(100svh,64rem)] overflow-hidden text-on-sky">
      <Sky tall className="absolute inset-0 -z-10" />
      <div className="absolute inset-x-0 top-0 -z-10 h-4/5 bg-linear-to-b from-sky-veil from-75% to-transparent" />
      <div className="page-width grid grid-rows-[auto_1fr]">
        {bar ? <HeroBar /> : <span />}
        <div className="grid max-w-3xl content-start gap-6 pt-[11svh] pb-56 sm:gap-7 sm:pt-[15svh] lg:pt-[18svh]">
          <h1 className="font-serif text-[min(16vw,clamp(2.75rem,1.6rem+5.2vw,5.25rem))] leading-[1.04] font-medium tracking-[-0.02em]">
            {t("hero.tagline")}
          </h1>
          <p className="max-w-xl text-xl leading-relaxed sm:text-2xl sm:leading-relaxed">{t("hero.text")}</p>
          <Button asChild size="large" variant="sky" className="justify-self-start">
            <Link to={paths.register()}>{t("hero.start")}</Link>
          </Button>
        </div>
      </div>
      <svg
        aria-hidden="true"
        viewBox="0 0 1600 120"
        preserveAspectRatio="none"
        className="absolute inset-x-0 -bottom-px -z-10 h-16 w-full sm:h-24"
      >
        <path className="fill-paper" d="M0 74C220 22 470 14 760 58s560 62 840-14V120H0z" />
      </svg>
    </section>
  );
}

/** The closing section of the page, with the switches. */
function Closing({ children }: { children: ReactNode }) {
  const { t } = useTranslation("home");
  return (
    <div className="border-t border-line bg-sunken">
      <div className="page-width flex flex-wrap items-center justify-between gap-x-8 gap-y-6 py-10">
        <div className="grid gap-2">
          <Wordmark />
          <p className="text-ink-soft">{t("hero.tagline")}</p>
        </div>
        <div className="flex flex-wrap gap-3">{children}</div>
      </div>
    </div>
  );
}

const questions = ["who", "account", "photos", "pin", "originals", "leave"] as const;

/** Answers to frequent questions about trust. */
function Questions() {
  const { t } = useTranslation("home");
  return (
    <QuestionList
      id="questions"
      title={t("questions.title")}
      questions={questions.map((question) => ({
        ask: t(`questions.${question}.ask`),
        answer: t(`questions.${question}.answer`),
      }))}
    />
  );
}

/** An offer of the metal card. Its static picture keeps the first page small, and does not grow with the text. */
function MetalCardOffer() {
  const { t } = useTranslation("home");
  return (
    <section aria-labelledby="metal-card" className="grid grid-cols-1 items-center gap-12 sm:grid-cols-2 sm:gap-16">
      <div
        aria-hidden
        className="mx-auto grid aspect-54/86 w-[208px] -rotate-4 content-between justify-items-center rounded-xl bg-linear-[150deg,#eef1f3,#c3c9ce_26%,#dfe3e6_46%,#a9b0b7_72%,#d5dade] px-[20px] py-[36px] text-center font-serif text-[#262d33] shadow-lifted lg:w-[240px]"
      >
        <div className="grid gap-1">
          <p className="text-[24px] leading-tight">{t("pictures.make.name")}</p>
          <p className="text-[15px]">{t("pictures.make.dates")}</p>
        </div>
        <div className="w-full px-[16px] mix-blend-multiply">
          <QrPicture />
        </div>
        <p className="text-[15px] whitespace-nowrap">{t("card.caption")}</p>
      </div>
      <div className="grid gap-4">
        <h2 id="metal-card" className="font-serif text-3xl sm:text-4xl">
          {t("card.title")}
        </h2>
        <p className="max-w-prose text-lg text-ink-soft">{t("card.text")}</p>
        <Button asChild variant="quiet" size="large" className="justify-self-start">
          <Link to={paths.shop()}>{t("card.link")}</Link>
        </Button>
      </div>
    </section>
  );
}

/** The limits of Skies Starter (Spec §9), with facts about the product. */
function FreePlan() {
  const { t } = useTranslation("home");
  return (
    <section
      aria-labelledby="free"
      className="grid grid-cols-[minmax(0,1fr)] gap-10 rounded-3xl bg-wash p-6 sm:p-12 lg:grid-cols-[1.1fr_1fr] lg:items-center lg:gap-16"
    >
      <div className="grid gap-4">
        <h2 id="free" className="font-serif text-3xl sm:text-4xl">
          {t("free.title")}
        </h2>
        <p className="max-w-prose">{t("free.text")}</p>
        <dl className="m-0 mt-4 grid grid-cols-2 gap-6 border-t border-edge/40 pt-6">
          {(["families", "uptime"] as const).map((claim) => (
            <div key={claim} className="flex flex-col-reverse">
              <dt className="text-ink-soft">{t(`free.${claim}.text`)}</dt>
              <dd className="m-0 font-serif text-3xl">{t(`free.${claim}.figure`)}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="grid gap-6 rounded-2xl bg-raised p-6 shadow-soft sm:p-8">
        <div>
          <h3 className="font-semibold">{t("free.plan")}</h3>
          <p className="font-serif text-4xl">{t("free.price")}</p>
        </div>
        <ul className="m-0 grid list-none gap-3 p-0">
          {(["memory", "storage", "qr", "expiry"] as const).map((fact) => (
            <li key={fact} className="flex gap-3">
              <Check aria-hidden className="mt-1 size-5 shrink-0 text-deep" />
              {t(`free.facts.${fact}`)}
            </li>
          ))}
        </ul>
        <Button asChild size="large">
          <Link to={paths.register()}>{t("hero.start")}</Link>
        </Button>
        <Button asChild variant="plain">
          <Link to={paths.pricing()}>{t("free.all")}</Link>
        </Button>
      </div>
    </section>
  );
}
