import { useTranslation } from "react-i18next";
import { FooterLinks } from "./FooterLinks.tsx";
import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

export function Footer() {
  const { t } = useTranslation("layout");
  return (
    <footer className="border-t border-line bg-sunken print:hidden">
      <div className="mx-auto grid max-w-7xl gap-5 px-4 py-8 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5">
          <p className="font-serif text-lg">Skies · {t("tagline")}</p>
          <div className="flex flex-wrap gap-3">
            <LanguageSwitch />
            <ThemeSwitch />
          </div>
        </div>
        <FooterLinks />
      </div>
    </footer>
  );
}
