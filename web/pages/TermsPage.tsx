import { useTranslation } from "react-i18next";
import { LegalDocument } from "../features/legal/LegalDocument.tsx";
import { terms } from "../features/legal/terms.ts";

/** `/terms`: the terms and conditions. */
export default function TermsPage() {
  const { t } = useTranslation("legal");
  return <LegalDocument title={t("terms")} document={terms} />;
}
