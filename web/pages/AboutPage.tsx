import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { SkyHeading } from "../layout/SkyHeading.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { ProductPicture } from "../ui/ProductPicture.tsx";

const PROMISES = ["private", "yours", "lasting", "everyone"] as const;
const FIGURES = ["families", "uptime"] as const;

/** `/about`: who makes Skies, why, and what it promises. */
export default function AboutPage() {
  const { t } = useTranslation("about");
  usePageTitle(t("title"));
  return (
    <>
      <SkyHeading title={t("title")} text={t("text")} />
      <div className="page-width relative -mt-24 grid gap-16 pb-20 sm:gap-24">
        <div className="grid gap-16 sm:gap-24 xl:grid-cols-2 xl:gap-10">
          <section
            aria-labelledby="why"
            className="grid content-start gap-5 rounded-3xl border border-line bg-raised px-6 py-8 sm:px-12 sm:py-12"
          >
            <h2 id="why" className="font-serif text-3xl">
              {t("why.title")}
            </h2>
            <p className="max-w-prose font-serif text-lg leading-relaxed">{t("why.first")}</p>
            <p className="max-w-prose font-serif text-lg leading-relaxed">{t("why.second")}</p>
          </section>
          <div>
            <ProductPicture name="story" className="w-full max-sm:hidden!" />
            <ProductPicture name="life" className="mx-auto w-64 sm:hidden!" />
          </div>
        </div>
        <section aria-labelledby="promises" className="grid gap-8">
          <h2 id="promises" className="font-serif text-3xl">
            {t("promises.title")}
          </h2>
          <ul className="grid gap-8 sm:grid-cols-2 xl:grid-cols-4">
            {PROMISES.map((promise) => (
              <li key={promise} className="grid content-start gap-2 border-t border-edge/50 pt-5">
                <h3 className="font-serif text-2xl">{t(`promises.${promise}.title`)}</h3>
                <p className="text-ink-soft">{t(`promises.${promise}.text`)}</p>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="figures" className="grid gap-8">
          <h2 id="figures" className="font-serif text-3xl">
            {t("figures.title")}
          </h2>
          <dl className="grid gap-8 sm:grid-cols-2">
            {FIGURES.map((figure) => (
              <div key={figure} className="flex flex-col-reverse gap-1">
                <dt className="text-ink-soft">{t(`figures.${figure}.text`)}</dt>
                <dd className="font-serif text-5xl text-deep">{t(`figures.${figure}.figure`)}</dd>
              </div>
            ))}
          </dl>
        </section>
        <div className="flex flex-wrap gap-3">
          <Button asChild size="large">
            <Link to={paths.getStarted()}>{t("start")}</Link>
          </Button>
          <Button asChild size="large" variant="quiet">
            <Link to={paths.contact()}>{t("contact")}</Link>
          </Button>
        </div>
      </div>
    </>
  );
}
