import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { NavLink, useLocation } from "react-router";
import { paths } from "../../paths.ts";
import { classNames } from "../../ui/class-names.ts";
import type { sectionsFor } from "./sections.ts";

/** The sections of the desk: a column beside the page, rows above it on tablets, a scrolling row on phones. */
export function DeskNav({ sections }: { sections: ReturnType<typeof sectionsFor> }) {
  const { t } = useTranslation("admin");
  const { pathname } = useLocation();
  const row = useRef<HTMLElement>(null);
  // Scrolls the current section into view.
  useEffect(() => {
    const open = pathname && row.current?.querySelector<HTMLElement>("[aria-current]");
    if (open && row.current) row.current.scrollLeft = open.offsetLeft - row.current.clientWidth / 3;
  }, [pathname]);
  return (
    <nav
      ref={row}
      aria-label={t("title")}
      className="relative -mx-4 min-w-0 max-sm:overflow-x-auto max-sm:px-4 max-sm:[scrollbar-width:none] lg:mx-0"
    >
      <ul className="m-0 flex list-none gap-1 p-0 sm:flex-wrap lg:sticky lg:top-24 lg:-ms-4 lg:flex-col">
        {sections.map(({ text, to }) => (
          <li key={text}>
            <NavLink
              to={to}
              end={to === paths.admin()}
              className={({ isActive }) =>
                classNames(
                  "flex min-h-11 items-center rounded-xl px-4 whitespace-nowrap no-underline transition-colors duration-200 ease-out",
                  isActive ? "bg-wash font-semibold text-deep" : "text-ink hover:bg-wash",
                )
              }
            >
              {t(`sections.${text}`)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
