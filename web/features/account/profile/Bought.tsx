import { ChevronRight, QrCode, Receipt, Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../../../paths.ts";

const PLACES = [
  { name: "plan", to: paths.plans(), Icon: Sparkles },
  { name: "cards", to: paths.cards(), Icon: QrCode },
  { name: "orders", to: paths.orders(), Icon: Receipt },
] as const;

export function Bought() {
  const { t } = useTranslation("profile");
  return (
    <ul className="m-0 grid list-none gap-2 p-0">
      {PLACES.map(({ name, to, Icon }) => (
        <li key={name}>
          <Link
            to={to}
            className="flex min-h-14 items-center gap-4 rounded-2xl border border-line bg-raised px-4 text-ink no-underline transition-colors duration-200 ease-out hover:bg-wash"
          >
            <Icon aria-hidden className="size-5 shrink-0 text-deep" />
            <span className="grow font-semibold">{t(`bought.${name}`)}</span>
            <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
