import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { classNames } from "../../../ui/class-names.ts";
import { PROFILE_GROUPS, type ProfileGroup } from "./profile-groups.ts";

/** Links to the profile's groups: in a sticky column on wide screens, otherwise in rows above the open one. */
export function ProfileNav({ open }: { open: ProfileGroup }) {
  const { t } = useTranslation("profile");
  return (
    <nav aria-label={t("sections")} className="self-start lg:sticky lg:top-24">
      <ul className="m-0 flex list-none flex-wrap gap-2 p-0 lg:grid lg:gap-1">
        {PROFILE_GROUPS.map(({ id }) => (
          <li key={id}>
            <Link
              to={{ hash: id }}
              preventScrollReset
              aria-current={id === open ? "page" : undefined}
              className={classNames(
                "inline-flex min-h-11 items-center rounded-xl px-4 font-semibold text-deep no-underline transition-colors duration-200 ease-out hover:bg-wash max-lg:border max-lg:border-line lg:w-full",
                id === open && "bg-wash",
              )}
            >
              {t(`groups.${id}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
