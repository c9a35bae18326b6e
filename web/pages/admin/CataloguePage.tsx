import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Catalogue, catalogueQuery } from "../../data/catalogue.queries.ts";
import { Campaigns } from "../../features/admin/catalogue/Campaigns.tsx";
import { Prices } from "../../features/admin/catalogue/Prices.tsx";
import { Vouchers } from "../../features/admin/catalogue/Vouchers.tsx";
import { DeskProblem } from "../../features/admin/DeskTable.tsx";
import { CardPrices } from "../../features/plans/CardPrices.tsx";
import { PlanCard } from "../../features/plans/PlanCard.tsx";
import { PlanCards } from "../../features/plans/PlanCards.tsx";
import { currencyFor } from "../../lib/formatting/currency.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/catalogue: vouchers, campaigns, plans and prices. */
export default function CataloguePage() {
  const { t } = useTranslation("admin");
  return (
    <Desk title={t("sections.catalogue")}>
      <Sections />
    </Desk>
  );
}

function Sections() {
  const { i18n } = useTranslation("adminCatalogue");
  const catalogue = useQuery(catalogueQuery);
  if (catalogue.isPending) return <Skeleton className="h-96 rounded-3xl" />;
  if (catalogue.isLoadingError) return <DeskProblem retry={catalogue.refetch} />;
  const currency = currencyFor(i18n.language);
  const preview = ({ plans, card }: Catalogue) => (
    <>
      <PlanCards>
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} currency={currency}>
            {null}
          </PlanCard>
        ))}
      </PlanCards>
      {card && <CardPrices card={card} currency={currency} />}
    </>
  );
  return (
    <div className="grid gap-12">
      <Vouchers catalogue={catalogue.data} />
      <Campaigns catalogue={catalogue.data} />
      <Prices catalogue={catalogue.data} preview={preview} />
    </div>
  );
}
