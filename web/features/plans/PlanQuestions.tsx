import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";

const questions = ["end", "renew", "change", "currency"] as const;

/** What people ask before they pay. */
export function PlanQuestions() {
  const { t } = useTranslation("pricing");
  return (
    <section aria-labelledby="plan-questions" className="mx-auto grid w-full max-w-3xl gap-8">
      <h2 id="plan-questions" className="text-center font-serif text-3xl sm:text-4xl">
        {t("questions.title")}
      </h2>
      <div className="border-t border-line">
        {questions.map((question) => (
          <details key={question} className="group border-b border-line">
            <summary className="flex min-h-16 cursor-pointer list-none items-center justify-between gap-4 py-4 text-lg font-semibold hover:text-deep [&::-webkit-details-marker]:hidden">
              {t(`questions.${question}.ask`)}
              <ChevronDown
                aria-hidden
                className="size-5 shrink-0 transition-transform duration-200 ease-out group-open:rotate-180"
              />
            </summary>
            <p className="max-w-prose pb-6 text-ink-soft">{t(`questions.${question}.answer`)}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
