import { Suspense, useRef } from "react";
import { useTranslation } from "react-i18next";
import { HelpAnswers } from "../features/help/HelpAnswers.tsx";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useNear } from "../lib/browser/use-near.ts";
import { withQueries } from "../lib/request/queries.ts";
import { Loading } from "../ui/Loading.tsx";

const HelpForm = lazyPart(withQueries(() => import("../layout/HelpForm.tsx")));

/** `/help`: the answers of the help panel as a page, and the contact form. */
export default function HelpPage() {
  const { t } = useTranslation("help");
  const form = useRef<HTMLElement>(null);
  const near = useNear(form);
  usePageTitle(t("title"));
  return (
    <div className="page-column grid gap-10 pt-8 pb-20 sm:pt-14">
      <div className="grid gap-3">
        <h1 className="font-serif text-4xl sm:text-5xl">{t("title")}</h1>
        <p className="max-w-prose text-lg text-ink-soft">{t("text")}</p>
      </div>
      <HelpAnswers />
      <section
        ref={form}
        aria-labelledby="write"
        className="grid gap-4 rounded-3xl border border-line bg-raised px-5 py-8 sm:px-10"
      >
        <h2 id="write" className="font-serif text-3xl">
          {t("write.title")}
        </h2>
        <p className="text-ink-soft">{t("write.text")}</p>
        {near && (
          <Suspense fallback={<Loading />}>
            <HelpForm />
          </Suspense>
        )}
      </section>
    </div>
  );
}
