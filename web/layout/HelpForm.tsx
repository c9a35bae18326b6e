import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { Contact } from "../features/contact/ContactForm.tsx";

/** Renders the help panel's contact form. It sends the page's path without the ids of links and cards. */
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
