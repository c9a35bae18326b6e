import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { forgetConsent, useConsent } from "../lib/browser/consent.ts";
import { showPanel } from "../lib/browser/side-panel.ts";
import { paths } from "../paths.ts";

const LINKS = [
  { text: "privacy", to: paths.privacy() },
  { text: "terms", to: paths.terms() },
  { text: "contact", to: paths.contact() },
] as const;

const LOOKS = "inline-flex min-h-11 items-center rounded-lg text-ink-soft underline-offset-4 hover:underline";

/** Renders the links of the footer (Spec §2), and a button to change the cookie consent. */
export function FooterLinks() {
  const { t } = useTranslation("layout");
  const consent = useConsent();
  const onHelp = (event: MouseEvent) => {
    // On the help page itself, and if opened in a new tab or window, the link navigates as usual.
    if (location.pathname === paths.help() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showPanel("help");
  };
  return (
    <nav aria-label={t("legal")} className="flex flex-wrap gap-x-6 text-sm">
      {LINKS.map(({ text, to }) => (
        <Link key={text} to={to} className={`${LOOKS} no-underline`}>
          {t(text)}
        </Link>
      ))}
      <Link to={paths.help()} onClick={onHelp} className={`${LOOKS} no-underline`}>
        {t("help")}
      </Link>
      {consent && (
        <button type="button" onClick={forgetConsent} className={`${LOOKS} cursor-pointer`}>
          {t("cookies")}
        </button>
      )}
    </nav>
  );
}
