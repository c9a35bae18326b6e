import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { forgetConsent, useConsent } from "../lib/browser/consent.ts";
import { paths } from "../paths.ts";

const LINKS = [
  { text: "privacy", to: paths.privacy() },
  { text: "terms", to: paths.terms() },
  { text: "contact", to: paths.contact() },
] as const;

const LOOKS = "inline-flex min-h-11 items-center rounded-lg text-ink-soft underline-offset-4 hover:underline";

/** Spec §2: the links of the footer, and the way to answer anew about cookies. */
export function FooterLinks() {
  const { t } = useTranslation("layout");
  const consent = useConsent();
  return (
    <nav aria-label={t("legal")} className="flex flex-wrap gap-x-6 text-sm">
      {LINKS.map(({ text, to }) => (
        <Link key={text} to={to} className={`${LOOKS} no-underline`}>
          {t(text)}
        </Link>
      ))}
      {consent && (
        <button type="button" onClick={forgetConsent} className={`${LOOKS} cursor-pointer`}>
          {t("cookies")}
        </button>
      )}
    </nav>
  );
}
