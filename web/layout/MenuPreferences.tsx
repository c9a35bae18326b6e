import { useTranslation } from "react-i18next";
import { languages } from "../i18n/languages.ts";
import { type Theme, useTheme } from "../lib/browser/theme.ts";
import { MenuChoice, MenuSeparator } from "../ui/Menu.tsx";

/** Language and theme, as parts of a menu. Spec §2 names the languages "en English, it Italiano". */
export function MenuPreferences() {
  const { t, i18n } = useTranslation("layout");
  const [theme, choose] = useTheme();
  return (
    <>
      <MenuChoice
        label={t("language")}
        value={i18n.resolvedLanguage ?? "en"}
        onChange={(language) => void i18n.changeLanguage(language)}
        options={languages.map(({ code, name }) => ({
          value: code,
          lang: code,
          label: (
            <>
              <span className="text-ink-soft">{code}</span> {name}
            </>
          ),
        }))}
      />
      <MenuSeparator />
      <MenuChoice
        label={t("theme.label")}
        value={theme}
        onChange={(chosen) => choose(chosen as Theme)}
        options={(["system", "light", "dark"] as const).map((value) => ({ value, label: t(`theme.${value}`) }))}
      />
    </>
  );
}
