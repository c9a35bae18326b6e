import type { TFunction } from "i18next";
import { BookOpen, Images, type LucideIcon, Sunrise, UserPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { timeAgo } from "../../lib/formatting/time-ago.ts";
import { paths } from "../../paths.ts";
import { Panel } from "../../ui/Panel.tsx";
import { Problem } from "../../ui/Problem.tsx";
import type { Activity } from "./activity.queries.ts";
import type { Dashboard } from "./use-dashboard.ts";

const icons: Record<Activity["kind"], LucideIcon> = {
  added: Images,
  told: BookOpen,
  joined: UserPlus,
  began: Sunrise,
};

export function RecentActivity({ activity, className }: Pick<Dashboard, "activity"> & { className?: string }) {
  const { t } = useTranslation("dashboard");
  return (
    <Panel title={t("activity.title")} className={className}>
      {activity.isError && !activity.data && (
        <Problem error={new Error(t("activity.failed"))} retry={activity.refetch} />
      )}
      {activity.data?.length === 0 && <p className="text-ink-soft">{t("activity.empty")}</p>}
      {activity.data && activity.data.length > 0 && (
        <ul className="m-0 grid list-none gap-4 p-0">
          {activity.data.map((entry) => (
            <Entry key={`${entry.kind} ${entry.memory_id} ${entry.at}`} entry={entry} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Entry({ entry }: { entry: Activity }) {
  const { t, i18n } = useTranslation("dashboard");
  const now = useMinute();
  const Icon = icons[entry.kind];
  return (
    <li className="flex gap-4">
      <span aria-hidden className="grid size-11 shrink-0 place-content-center rounded-full bg-wash text-deep">
        <Icon className="size-5" />
      </span>
      <div className="min-w-0">
        <p className="leading-snug">
          {said(entry, t)} <Link to={paths.memory(entry.memory_id)}>{entry.memory_name || t("byMemory.unnamed")}</Link>
        </p>
        <p className="text-sm text-ink-soft">
          <time dateTime={entry.at}>{timeAgo(new Date(entry.at), now, localeOf(i18n.language))}</time>
        </p>
      </div>
    </li>
  );
}

function said({ kind, mine, author, items }: Activity, t: TFunction<"dashboard">): string {
  switch (kind) {
    case "added":
      return t(mine ? "activity.mineAdded" : "activity.added", { count: items });
    case "told":
      if (mine) return t("activity.mineTold");
      return author ? t("activity.told", { author }) : t("activity.toldBySomebody");
    case "joined":
      return t("activity.joined");
    case "began":
      return t("activity.began");
  }
}
