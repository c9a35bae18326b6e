import { Menu as MenuIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { languages } from "../i18n/languages.ts";
import { helpLink, siteLinks } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { classNames } from "../ui/class-names.ts";
import { DETAILS_LINK, DetailsMenu } from "../ui/DetailsMenu.tsx";
import { visitorLinks } from "./nav-links.ts";

/** Renders the visitors' navigation. It has no menu, so that the first page does not load the menu's code. */
export function VisitorNav() {
  const { t, i18n } = useTranslation("layout");
  return (
    <>
      {languages
        .filter(({ code }) => code !== i18n.resolvedLanguage)
        .map(({ code, name }) => (
          <Button
            key={code}
            size="small"
            variant="plain"
            lang={code}
            aria-label={`${code} ${name}`}
            onClick={() => void i18n.changeLanguage(code)}
            // Hidden on the narrowest screens, because the footer also has this choice.
            className="min-w-11 px-2! @max-[22rem]:hidden sm:px-3!"
          >
            {code} <span className="max-sm:hidden">{name}</span>
          </Button>
        ))}
      {siteLinks.map(({ text, to }) => (
        <Button key={text} asChild size="small" variant="plain" className="px-3! whitespace-nowrap max-md:hidden">
          <Link to={to}>{t(text)}</Link>
        </Button>
      ))}
      {visitorLinks.map((link) => (
        <Button
          key={link.text}
          asChild
          size="small"
          variant={link.looks}
          className={classNames(
            "whitespace-nowrap sm:px-4!",
            link.looks === "primary" ? "px-3! @max-[18rem]:hidden" : "px-2! @max-[12rem]:hidden",
          )}
        >
          <Link to={link.to}>{t(link.text)}</Link>
        </Button>
      ))}
      <DetailsMenu label={t("menu")} button={<MenuIcon aria-hidden className="size-6" />} className="md:hidden">
        {[...siteLinks, helpLink].map(({ text, to }) => (
          <Link key={text} to={to} className={DETAILS_LINK}>
            {t(text)}
          </Link>
        ))}
        {/* With large text, the bar has no room for them. */}
        {visitorLinks.map(({ text, to, looks }) => (
          <Link
            key={text}
            to={to}
            className={classNames(DETAILS_LINK, looks === "primary" ? "@min-[18rem]:hidden" : "@min-[12rem]:hidden")}
          >
            {t(text)}
          </Link>
        ))}
      </DetailsMenu>
    </>
  );
}
