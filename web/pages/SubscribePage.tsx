import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { amountIn, catalogueQuery } from "../data/catalogue.queries.ts";
import { heldPlansQuery } from "../data/held-plans.queries.ts";
import { lapsedPlanQuery, useSubscription } from "../data/plans.queries.ts";
import { PlanCard } from "../features/plans/PlanCard.tsx";
import { PlanCards, PlanCardsSkeleton } from "../features/plans/PlanCards.tsx";
import { PresentPlan } from "../features/plans/PresentPlan.tsx";
import { SubscribeTo } from "../features/plans/SubscribeTo.tsx";
import { VoucherEntry } from "../features/plans/VoucherEntry.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { currencyFor } from "../lib/formatting/currency.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** /subscribe: the person's plan, its end date, and the effect of each option to renew or change it. */
export default function SubscribePage() {
  const { t, i18n } = useTranslation("pricing");
  const user = useUser();
  const currency = currencyFor(i18n.language);
  const subscription = useSubscription(supabase, user.id);
  const heldPlans = useQuery(heldPlansQuery(supabase, user.id));
  const lapsed = useQuery(lapsedPlanQuery(supabase, user.id));
  const catalogue = useQuery(catalogueQuery);
  usePageTitle(t("subscribe.title"));

  const { details } = subscription;
  const ready = details !== undefined && !heldPlans.isPending && !lapsed.isPending;
  const forSale = catalogue.data?.plans.filter(({ plan_prices }) => amountIn(currency, plan_prices) !== undefined);
  return (
    <div className="page-width grid gap-12 pt-8 pb-20 sm:pt-12">
      <div className="grid gap-6">
        <h1 className="font-serif text-4xl sm:text-5xl">{t("subscribe.heading")}</h1>
        {ready ? (
          <PresentPlan
            details={details}
            error={subscription.error}
            plans={heldPlans.data ?? []}
            lapsed={details.has_subscription ? null : (lapsed.data ?? null)}
          />
        ) : (
          <Skeleton className="h-64 rounded-3xl" />
        )}
      </div>
      <section aria-labelledby="choices" className="grid gap-6">
        <h2 id="choices" className="font-serif text-3xl">
          {t("subscribe.choices")}
        </h2>
        {catalogue.isLoadingError && <Problem error={new Error(t("failed"))} retry={catalogue.refetch} />}
        {!catalogue.isLoadingError && !(ready && forSale) && <PlanCardsSkeleton count={3} />}
        {ready && catalogue.data && forSale && (
          <PlanCards>
            {forSale.map((plan) => (
              <PlanCard key={plan.id} plan={plan} currency={currency} yours={plan.id === details.plan_id}>
                <SubscribeTo
                  plan={plan}
                  all={catalogue.data.plans}
                  currency={currency}
                  ownPlans={heldPlans.data ?? []}
                />
              </PlanCard>
            ))}
          </PlanCards>
        )}
        <VoucherEntry plans={forSale ?? []} />
      </section>
      <Button asChild variant="quiet" className="justify-self-center">
        <Link to={paths.pricing()}>{t("subscribe.pricing")}</Link>
      </Button>
    </div>
  );
}
