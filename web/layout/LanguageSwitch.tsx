import { useTranslation } from "react-i18next";
import { languages } from "../i18n/languages.ts";
import { SegmentedControl } from "../ui/SegmentedControl.tsx";

/** Renders the choice of language with all options visible. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation("layout");
  return (
    <SegmentedControl
      label={t("language")}
      value={i18n.resolvedLanguage ?? "en"}
      onChange={(language) => void i18n.changeLanguage(language)}
      options={languages.map(({ code, name }) => ({ value: code as string, label: name, lang: code }))}
    />
  );
}
