import { Menu as MenuIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { languages } from "../i18n/languages.ts";
import { pathOf, rememberRedirect } from "../lib/session/redirect-url.ts";
import { helpLink, paths, siteLinks } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { classNames } from "../ui/class-names.ts";
import { DETAILS_LINK, DetailsMenu } from "../ui/DetailsMenu.tsx";
import { isGuestPage } from "./frame-visibility.ts";
import { visitorLinks } from "./nav-links.ts";

/** Renders the visitors' navigation, and only the languages and the sign-in on guests' pages. */
export function VisitorNav() {
  return isGuestPage(useLocation().pathname) ? <GuestNav /> : <SiteNav />;
}

/** Renders buttons for the other languages. `short` shows only their codes on phones. */
function Languages({ short = false }: { short?: boolean }) {
  const { i18n } = useTranslation();
  return languages
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
        className={classNames("min-w-11 px-2! sm:px-3!", short ? "@max-[22rem]:hidden" : "@max-[18rem]:hidden")}
      >
        {short ? (
          <>
            {code} <span className="max-sm:hidden">{name}</span>
          </>
        ) : (
          name
        )}
      </Button>
    ));
}

function GuestNav() {
  const { t } = useTranslation("layout");
  const here = useLocation();
  return (
    <>
      <Languages />
      <Button asChild size="small" variant="plain" className="px-2! whitespace-nowrap @max-[12rem]:hidden sm:px-3!">
        <Link to={paths.login()} onClick={() => rememberRedirect(pathOf(here))}>
          {t("signIn")}
        </Link>
      </Button>
    </>
  );
}

/** Renders the site's links. Its menu is a `details` element, so that the first page does not load the menu component. */
function SiteNav() {
  const { t } = useTranslation("layout");
  return (
    <>
      <Languages short />
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
