import "../../i18n/words/dashboard.ts";
import "../../i18n/words/plans.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "../../lib/page-title.ts";
import { useUser } from "../../lib/session.ts";
import { supabase } from "../../lib/supabase.ts";
import { Problem } from "../../ui/Problem.tsx";
import { storageQuery } from "../plans/storage.queries.ts";
import { DashboardHero } from "./DashboardHero.tsx";
import { LargestItems } from "./LargestItems.tsx";
import { MemoryUses } from "./MemoryUses.tsx";
import { Panel } from "./Panel.tsx";
import { PlanList } from "./PlanList.tsx";
import { PlanPanel } from "./PlanPanel.tsx";
import { RecentActivity } from "./RecentActivity.tsx";
import { StoragePanel } from "./StoragePanel.tsx";

/** /dashboard: what somebody keeps here, how much room there is for more, and what happened last. */
export default function DashboardPage() {
  const { t } = useTranslation(["dashboard", "plans"]);
  const user = useUser();
  const storage = useQuery(storageQuery(supabase, user.id));
  usePageTitle(t("title"));
  // What was counted a moment ago says more than an error.
  const failed = storage.isError && !storage.data;
  return (
    <>
      <DashboardHero user={user} />
      <div className="relative mx-auto -mt-16 grid w-full max-w-6xl gap-5 px-4 pb-16 sm:gap-6 sm:px-8 lg:grid-cols-[3fr_2fr]">
        {failed ? (
          <Panel title={t("storage.title")}>
            <Problem error={new Error(t("plans:storage.failed"))} retry={storage.refetch} />
          </Panel>
        ) : (
          <StoragePanel stats={storage.data} />
        )}
        <PlanPanel userId={user.id} />
        {!failed && <MemoryUses stats={storage.data} />}
        <RecentActivity userId={user.id} />
        {!failed && <LargestItems stats={storage.data} />}
        <PlanList userId={user.id} />
      </div>
    </>
  );
}
