import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";

const TERMS = ["rate", "window", "own", "refunds", "payout", "private", "honest", "leave"] as const;

/** The programme's terms in plain words. */
export function Terms() {
  const { t } = useTranslation("affiliates");
  return (
    <section id="terms" aria-labelledby="affiliate-terms" className="mx-auto grid w-full max-w-3xl scroll-mt-24 gap-6">
      <h2 id="affiliate-terms" className="font-serif text-2xl sm:text-3xl">
        {t("terms.title")}
      </h2>
      <ul className="m-0 grid list-none gap-4 p-0">
        {TERMS.map((term) => (
          <li key={term} className="flex gap-3">
            <Check aria-hidden className="mt-1 size-5 shrink-0 text-deep" />
            <span>{t(`terms.${term}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
