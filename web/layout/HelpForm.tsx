import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { Contact } from "../features/contact/ContactForm.tsx";

/** A message to us from a page, with what helps to answer it. What a link or a card opens by stays out of it. */
export default function HelpForm() {
  const { t } = useTranslation("help");
  const page = useLocation().pathname.replace(/^\/(shared|c)\/[^/]+/i, "/$1/…");
  const browser = `${navigator.userAgent}, ${navigator.language}, ${innerWidth} × ${innerHeight}`;
  return (
    <div className="grid gap-5">
      <details className="text-sm text-ink-soft">
        <summary className="min-h-11 cursor-pointer content-center">{t("write.attached", { page })}</summary>
        <p className="wrap-anywhere">{browser}</p>
      </details>
      <Contact
        about={{
          subject: t("write.subject", { page: page.slice(0, 150) }),
          attached: `${t("write.page")}: ${page}\n${t("write.browser")}: ${browser}`,
        }}
      />
    </div>
  );
}
