import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { catalogueQuery } from "../data/catalogue.queries.ts";
import { CardPrices } from "../features/plans/CardPrices.tsx";
import { ChoosePlan } from "../features/plans/ChoosePlan.tsx";
import { PlanCard } from "../features/plans/PlanCard.tsx";
import { PlanCards, PlanCardsSkeleton } from "../features/plans/PlanCards.tsx";
import { PlanQuestions } from "../features/plans/PlanQuestions.tsx";
import { PlanTable } from "../features/plans/PlanTable.tsx";
import { VoucherEntry } from "../features/plans/VoucherEntry.tsx";
import { SkyHeading } from "../layout/SkyHeading.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { currencyFor } from "../lib/formatting/currency.ts";
import { paths } from "../paths.ts";
import { Problem } from "../ui/Problem.tsx";
import { ProductPicture } from "../ui/ProductPicture.tsx";

/** /pricing: the plans and prices. */
export default function PricingPage() {
  const { t, i18n } = useTranslation("pricing");
  const currency = currencyFor(i18n.language);
  const catalogue = useQuery(catalogueQuery);
  usePageTitle(t("title"));
  return (
    <>
      <SkyHeading title={t("heading")} text={t("text")} />
      <div className="page-width relative -mt-24 grid gap-16 pb-20 sm:gap-24">
        <section aria-labelledby="plans" className="grid gap-8">
          <h2 id="plans" className="sr-only">
            {t("plans")}
          </h2>
          {catalogue.isPending && <PlanCardsSkeleton />}
          {catalogue.isLoadingError && (
            <div className="rounded-3xl border border-line bg-raised">
              <Problem error={new Error(t("failed"))} retry={catalogue.refetch} />
            </div>
          )}
          {catalogue.isSuccess && (
            <PlanCards>
              {catalogue.data.plans.map((plan) => (
                <PlanCard key={plan.id} plan={plan} currency={currency}>
                  <ChoosePlan plan={plan} currency={currency} />
                </PlanCard>
              ))}
            </PlanCards>
          )}
          <VoucherEntry plans={catalogue.data?.plans ?? []} />
        </section>
        <ProductPicture name="photos" className="w-full max-w-5xl justify-self-center max-sm:hidden!" />
        {/* Phones get a screenshot of a phone; the wide one would be illegible. */}
        <ProductPicture name="day" className="w-64 justify-self-center sm:hidden!" />
        {catalogue.data?.card && <CardPrices card={catalogue.data.card} currency={currency} />}
        {catalogue.data && <PlanTable plans={catalogue.data.plans} currency={currency} />}
        <PlanQuestions />
        <p className="mx-auto max-w-prose text-center text-ink-soft">
          {t("affiliates.text")} <Link to={paths.affiliates()}>{t("affiliates.link")}</Link>
        </p>
      </div>
    </>
  );
}
