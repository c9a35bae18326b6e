import { Menu as MenuIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { languages } from "../../i18n/languages.ts";
import { helpLink, paths, siteLinks } from "../../paths.ts";
import { DETAILS_LINK, DetailsMenu } from "../../ui/DetailsMenu.tsx";
import { Wordmark } from "../../ui/Wordmark.tsx";

const LOOKS =
  "inline-flex min-h-11 items-center rounded-full px-2 text-current no-underline underline-offset-4 outline-current hover:underline sm:px-3";

/** The bar on the sky: the product's name, the other language and the sign-in link. */
export function HeroBar() {
  const { t, i18n } = useTranslation("layout");
  return (
    <div className="@container">
      {/* Invisible until its last part has arrived: on a slow line, each part would move the ones before it. */}
      <div
        data-hero-bar
        className="flex items-center justify-between gap-3 py-4 not-has-[summary_svg]:invisible sm:py-6"
      >
        <Wordmark short="with large text" />
        <div className="flex items-center gap-1 font-semibold sm:gap-3">
          {languages
            .filter(({ code }) => code !== i18n.resolvedLanguage)
            .map(({ code, name }) => (
              <button
                key={code}
                type="button"
                lang={code}
                onClick={() => void i18n.changeLanguage(code)}
                aria-label={`${code} ${name}`}
                className="min-h-11 min-w-11 cursor-pointer rounded-full @max-[16rem]:hidden underline-offset-4 outline-current hover:underline sm:px-3"
              >
                <span className="sm:hidden">{code}</span>
                <span className="max-sm:hidden">{name}</span>
              </button>
            ))}
          {siteLinks.map(({ text, to }) => (
            <Link key={text} to={to} className={`${LOOKS} max-md:hidden`}>
              {t(text)}
            </Link>
          ))}
          <Link to={paths.login()} className={`${LOOKS} @max-[12rem]:hidden`}>
            {t("login")}
          </Link>
          <Link to={paths.register()} className={`${LOOKS} max-sm:hidden`}>
            {t("startFree")}
          </Link>
          <DetailsMenu label={t("menu")} button={<MenuIcon aria-hidden className="size-6" />} className="md:hidden">
            {[...siteLinks, helpLink].map(({ text, to }) => (
              <Link key={text} to={to} className={DETAILS_LINK}>
                {t(text)}
              </Link>
            ))}
            {/* With large text, the bar has no room for it. */}
            <Link to={paths.login()} className={`${DETAILS_LINK} @min-[12rem]:hidden`}>
              {t("login")}
            </Link>
            <Link to={paths.register()} className={`${DETAILS_LINK} sm:hidden`}>
              {t("startFree")}
            </Link>
          </DetailsMenu>
        </div>
      </div>
    </div>
  );
}
