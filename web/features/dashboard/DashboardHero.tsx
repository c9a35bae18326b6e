import { useTranslation } from "react-i18next";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { dayPart } from "../../lib/formatting/day-part.ts";
import type { CurrentUser } from "../../lib/session/session.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Sky } from "../../ui/Sky.tsx";

/** A greeting under the current sky. */
export function DashboardHero({ user }: { user: CurrentUser }) {
  const { t } = useTranslation("dashboard");
  const part = dayPart(useMinute().getHours());
  return (
    <header className="relative isolate overflow-hidden pt-10 pb-28 text-on-sky sm:pt-14">
      <Sky tall seed={user.id} className="absolute inset-0 -z-10" />
      <div className="absolute inset-0 -z-10 bg-sky-veil" />
      <div className="page-width grid gap-2">
        <h1 className="font-serif text-4xl leading-tight sm:text-5xl">
          {user.fullName ? t(`named.${part}`, { name: user.fullName }) : t(`greeting.${part}`)}
        </h1>
        <p className="text-lg">{t("lead")}</p>
      </div>
    </header>
  );
}

/** A placeholder of the dashboard while it loads. */
export function DashboardSkeleton({ label }: { label: string }) {
  return (
    <div
      role="status"
      aria-label={label}
      className="page-width relative -mt-16 grid gap-5 pb-16 sm:gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
    >
      {[1, 2, 3, 4].map((panel) => (
        <div key={panel} className="overflow-hidden rounded-3xl border border-line bg-raised">
          <Skeleton className="h-80 rounded-none!" />
        </div>
      ))}
    </div>
  );
}
