import "../i18n/namespaces/contact.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { ContactForm } from "../features/contact/ContactForm.tsx";
import { SkyHeading } from "../layout/SkyHeading.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";

/** `/contact-us`: a message to those who run the site. */
export default function ContactPage() {
  const { t } = useTranslation("contact");
  const [sentFrom, setSentFrom] = useState<string>();
  usePageTitle(t("title"));
  return (
    <>
      <SkyHeading title={t("title")} text={t("text")} column="max-w-3xl" />
      <div className="relative mx-auto -mt-24 grid w-full max-w-3xl gap-6 px-4 pb-20 sm:px-8">
        <div className="rounded-3xl border border-line bg-raised px-5 py-8 sm:px-10 sm:py-10">
          {sentFrom === undefined ? (
            <ContactForm onSent={setSentFrom} />
          ) : (
            <div role="status" className="grid justify-items-start gap-4">
              <h2 className="font-serif text-3xl">{t("sent.title")}</h2>
              <p className="wrap-anywhere text-ink-soft">{t("sent.text", { email: sentFrom })}</p>
              <Button variant="quiet" onClick={() => setSentFrom(undefined)}>
                {t("sent.another")}
              </Button>
            </div>
          )}
        </div>
        <p className="text-sm text-ink-soft">
          {t("privacy")} <Link to={paths.privacy()}>{t("privacyLink")}</Link>
        </p>
      </div>
    </>
  );
}
