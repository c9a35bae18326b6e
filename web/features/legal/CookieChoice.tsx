import { useTranslation } from "react-i18next";
import { forgetConsent, useConsent } from "../../lib/browser/consent.ts";
import { Button } from "../../ui/Button.tsx";

/** The cookie consent, and a button to change it. */
export function CookieChoice() {
  const { t } = useTranslation("legal");
  const consent = useConsent();
  return (
    <section
      aria-labelledby="cookies"
      className="grid justify-items-start gap-3 border-t border-line pt-8 print:hidden"
    >
      <h2 id="cookies" className="scroll-mt-24 font-serif text-2xl">
        {t("cookies.title")}
      </h2>
      <p role="status">{t(`cookies.${consent ?? "unanswered"}`)}</p>
      {consent && (
        <Button variant="quiet" onClick={forgetConsent}>
          {t("cookies.change")}
        </Button>
      )}
    </section>
  );
}
