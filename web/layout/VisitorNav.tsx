import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { languages } from "../i18n/languages.ts";
import { Button } from "../ui/Button.tsx";
import { classNames } from "../ui/class-names.ts";
import { visitorLinks } from "./nav-links.ts";

/** What a visitor is offered. Plain links and a button, since a visitor's first page should wait for no menu. */
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
            // The foot of the page has it, too, where the narrowest have no room.
            className="min-w-11 px-2! max-[22rem]:hidden sm:px-3!"
          >
            {code} <span className="max-sm:hidden">{name}</span>
          </Button>
        ))}
      {visitorLinks.map((link) => (
        <Button
          key={link.text}
          asChild
          size="small"
          variant={link.looks}
          className={classNames("whitespace-nowrap sm:px-4!", link.looks === "primary" ? "px-3!" : "px-2!")}
        >
          <Link to={link.to}>{t(link.text)}</Link>
        </Button>
      ))}
    </>
  );
}
