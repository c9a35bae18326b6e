import { useTranslation } from "react-i18next";
import { CookieChoice } from "../features/legal/CookieChoice.tsx";
import { LegalDocument } from "../features/legal/LegalDocument.tsx";
import { privacy } from "../features/legal/privacy.ts";
import { config } from "../lib/browser/config.ts";
import { localeOf } from "../lib/formatting/locale.ts";

/** `/privacy`: the privacy policy, the data processors of this deployment, and the cookie setting. */
export default function PrivacyPage() {
  const { t, i18n } = useTranslation("legal");
  const { processors } = config();
  const list = new Intl.ListFormat(localeOf(i18n.language)).format(processors);
  return (
    <LegalDocument title={t("privacy")} document={privacy}>
      <p>{processors.length > 0 ? t("processors", { list }) : t("noProcessors")}</p>
      <CookieChoice />
    </LegalDocument>
  );
}
