import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";

/** What Skies Starter gives (Spec §9), and what the house says of itself. */
export function FreePlan() {
  const { t } = useTranslation("home");
  return (
    <section
      aria-labelledby="free"
      className="grid gap-10 rounded-3xl bg-wash p-6 sm:p-12 lg:grid-cols-[1.1fr_1fr] lg:items-center lg:gap-16"
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
