import { useTranslation } from "react-i18next";
import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

export function Footer() {
  const { t } = useTranslation("layout");
  return (
    <footer className="print:hidden border-t border-line bg-sunken">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-5 px-4 py-8 sm:px-6">
        <p className="font-serif text-lg">Skies · {t("tagline")}</p>
        <div className="flex flex-wrap gap-3">
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  );
}
