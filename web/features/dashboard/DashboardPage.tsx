import "../../i18n/words/dashboard.ts";
import "../../i18n/words/plans.ts";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { useUser } from "../../lib/session.ts";
import { Problem } from "../../ui/Problem.tsx";
import { DashboardHero } from "./DashboardHero.tsx";
import { DashboardSkeleton } from "./DashboardSkeleton.tsx";
import { LargestItems } from "./LargestItems.tsx";
import { MemoryUses } from "./MemoryUses.tsx";
import { Panel } from "./Panel.tsx";
import { PlanList } from "./PlanList.tsx";
import { PlanPanel } from "./PlanPanel.tsx";
import { RecentActivity } from "./RecentActivity.tsx";
import { StoragePanel } from "./StoragePanel.tsx";
import { useDashboard } from "./use-dashboard.ts";

/** /dashboard: what somebody keeps here, how much room there is for more, and what happened last. */
export default function DashboardPage() {
  const { t } = useTranslation(["dashboard", "plans"]);
  const user = useUser();
  const { ready, storage, uses, subscription, lapsed, next, memories, activity, plans } = useDashboard(user.id);
  usePageTitle(t("title"));
  // What was counted a moment ago says more than an error.
  const stats = storage.data;
  return (
    <>
      <DashboardHero user={user} />
      {ready ? (
        <div className="relative mx-auto -mt-16 grid w-full max-w-6xl gap-5 px-4 pb-16 sm:gap-6 sm:px-8 lg:grid-cols-[3fr_2fr]">
          {stats ? (
            <StoragePanel stats={stats} />
          ) : (
            <Panel title={t("storage.title")}>
              <Problem error={new Error(t("plans:storage.failed"))} retry={storage.refetch} />
            </Panel>
          )}
          <PlanPanel subscription={subscription} lapsed={lapsed} next={next} kept={memories.data} />
          {uses.data && <MemoryUses uses={uses} count={memories.data} />}
          <RecentActivity activity={activity} className={uses.data ? undefined : "lg:col-span-2"} />
          {stats && <LargestItems stats={stats} />}
          <PlanList plans={plans} held={subscription.details?.plan_id} />
          {/* Last, as what it shows comes later and moves nothing here. */}
          <Outlet />
        </div>
      ) : (
        <DashboardSkeleton label={t("title")} />
      )}
    </>
  );
}
