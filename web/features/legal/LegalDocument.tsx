import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import type { LegalText } from "./legal-text.ts";

interface LegalDocumentProps {
  title: string;
  document: LegalText;
  /** Shown after its sections. */
  children?: ReactNode;
}

/** A legal document: version, date, table of contents and sections. */
export function LegalDocument({ title, document, children }: LegalDocumentProps) {
  const { t, i18n } = useTranslation("legal");
  const id = useId();
  const sections = i18n.resolvedLanguage === "it" ? document.it : document.en;
  const date = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(document.date),
  );
  usePageTitle(title);
  return (
    <article className="page-column grid gap-10 pt-8 pb-20 sm:pt-14">
      <div className="grid gap-3">
        <h1 className="font-serif text-4xl text-balance sm:text-5xl">{title}</h1>
        <p className="text-ink-soft">{t("version", { version: document.version, date })}</p>
      </div>
      <nav aria-label={t("contents")} className="rounded-3xl border border-line bg-raised p-6 print:hidden">
        <ol className="list-decimal gap-x-10 ps-6 sm:columns-2">
          {sections.map((section, index) => (
            <li key={section.title} className="break-inside-avoid">
              <a href={`#${id}-${index}`} className="block py-2">
                {section.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {sections.map((section, index) => (
        <section key={section.title} aria-labelledby={`${id}-${index}`} className="grid gap-3">
          <h2 id={`${id}-${index}`} className="scroll-mt-24 font-serif text-2xl">
            {index + 1}. {section.title}
          </h2>
          {section.text.map((paragraph) => (
            <p key={paragraph} className="max-w-prose leading-relaxed">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
      {children}
    </article>
  );
}
