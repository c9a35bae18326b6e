import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { DashboardHero, DashboardSkeleton } from "../features/dashboard/DashboardHero.tsx";
import { LargestItems } from "../features/dashboard/LargestItems.tsx";
import { MemoryUses } from "../features/dashboard/MemoryUses.tsx";
import { PlanPanel } from "../features/dashboard/PlanPanel.tsx";
import { RecentActivity } from "../features/dashboard/RecentActivity.tsx";
import { StoragePanel } from "../features/dashboard/StoragePanel.tsx";
import { useDashboard } from "../features/dashboard/use-dashboard.ts";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useUser } from "../lib/session/session.ts";
import { Panel } from "../ui/Panel.tsx";
import { Problem } from "../ui/Problem.tsx";

const TrashSection = lazyPart(() => import("../features/trash/TrashSection.tsx"));

/** /dashboard: what people did in the person's memories, the plan and the storage. */
export default function DashboardPage() {
  const { t } = useTranslation(["dashboard", "plans"]);
  const user = useUser();
  const { ready, storage, uses, subscription, lapsed, next, memories, activity } = useDashboard(user.id);
  usePageTitle(t("title"));
  // After a failed refetch, cached numbers are more useful than an error.
  const stats = storage.data;
  return (
    <>
      <DashboardHero user={user} />
      {ready ? (
        <div className="page-width relative -mt-16 grid gap-5 pb-16 sm:gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {/* People before figures. */}
          <RecentActivity activity={activity} />
          <PlanPanel subscription={subscription} lapsed={lapsed} next={next} memoryCount={memories.data} />
          {stats ? (
            <StoragePanel stats={stats} />
          ) : (
            <Panel title={t("storage.title")}>
              <Problem error={new Error(t("plans:storage.failed"))} retry={storage.refetch} />
            </Panel>
          )}
          {uses.data && <MemoryUses uses={uses} count={memories.data} limit={stats?.maxStorage} />}
          {stats && <LargestItems stats={stats} />}
          {/* The last section, because it loads later and must not shift the others. */}
          <Suspense>
            <TrashSection />
          </Suspense>
        </div>
      ) : (
        <DashboardSkeleton label={t("title")} />
      )}
    </>
  );
}
