import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Contact } from "../features/contact/ContactForm.tsx";
import { SkyHeading } from "../layout/SkyHeading.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { paths } from "../paths.ts";

/** `/contact-us`: a form for messages to the people who run the site. */
export default function ContactPage() {
  const { t } = useTranslation("contact");
  usePageTitle(t("title"));
  return (
    <>
      <SkyHeading title={t("title")} text={t("text")} />
      <div className="page-column relative -mt-24 grid gap-6 pb-20">
        <div className="rounded-3xl border border-line bg-raised px-5 py-8 sm:px-10 sm:py-10">
          <Contact />
        </div>
        <p className="text-sm text-ink-soft">
          {t("privacy")} <Link to={paths.privacy()}>{t("privacyLink")}</Link>
        </p>
      </div>
    </>
  );
}
