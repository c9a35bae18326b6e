import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { paths } from "../../paths.ts";
import { classNames } from "../../ui/class-names.ts";
import type { sectionsFor } from "./sections.ts";

/** The sections of the desk: a column beside the page, and on narrow screens a row that scrolls. */
export function DeskNav({ sections }: { sections: ReturnType<typeof sectionsFor> }) {
  const { t } = useTranslation("admin");
  return (
    <nav
      aria-label={t("title")}
      className="min-w-0 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 sm:max-lg:-mx-8 sm:max-lg:px-8"
    >
      <ul className="m-0 flex list-none gap-1 p-0 lg:sticky lg:top-24 lg:flex-col">
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
