import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { AffiliateLink } from "./AffiliateLink.tsx";
import { type Affiliate, figuresQuery } from "./affiliates.queries.ts";
import { Balances } from "./Balances.tsx";
import { CommissionList } from "./CommissionList.tsx";
import { Figures } from "./Figures.tsx";
import { Leave, Left } from "./Leave.tsx";
import { PayoutList } from "./PayoutList.tsx";
import { Terms } from "./Terms.tsx";

/** How it goes for somebody who recommends Skies: their link, visits and purchases, what it earned and what was paid. */
export function AffiliateDashboard({ affiliate, userId }: { affiliate: Affiliate; userId: string }) {
  const { t } = useTranslation("affiliates");
  const figures = useQuery(figuresQuery(supabase, affiliate.id));
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-6 px-4 py-10 sm:px-8 sm:py-14">
      <h1 className="px-1 font-serif text-4xl leading-tight sm:text-5xl">{t("title")}</h1>
      {affiliate.state === "paused" && <p className="rounded-2xl bg-amber-wash px-5 py-4">{t("paused")}</p>}
      {affiliate.state === "left" ? <Left userId={userId} /> : <AffiliateLink code={affiliate.code} />}
      {figures.isError && (
        <div className="rounded-3xl border border-line bg-raised">
          <Problem error={new Error(t("failed"))} retry={figures.refetch} />
        </div>
      )}
      {figures.isPending && (
        <>
          <Skeleton className="h-48 rounded-3xl" />
          <Skeleton className="h-96 rounded-3xl" />
        </>
      )}
      {figures.isSuccess && (
        <>
          <div className="grid gap-6 lg:grid-cols-2">
            <Figures clicks={figures.data.clicks} sales={figures.data.commissions.length} />
            <Balances balances={figures.data.balances} />
          </div>
          <CommissionList affiliateId={affiliate.id} commissions={figures.data.commissions} />
          <PayoutList payouts={figures.data.payouts} />
        </>
      )}
      <div className="mt-8 grid gap-12">
        <Terms />
        {affiliate.state !== "left" && <Leave userId={userId} paused={affiliate.state === "paused"} />}
      </div>
    </div>
  );
}
