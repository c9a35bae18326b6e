import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { catalogueQuery } from "../data/catalogue.queries.ts";
import { OrderCard } from "../features/cards/shop/OrderCard.tsx";
import { ShopFacts } from "../features/cards/shop/ShopFacts.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** /shop: preview of the engraved metal card, and its order form. */
export default function ShopPage() {
  const { t } = useTranslation("cards");
  usePageTitle(t("shop.title"));
  const session = useSession();
  const catalogue = useQuery(catalogueQuery);
  return (
    <div className="page-width grid gap-10 pt-8 pb-20 sm:pt-12">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="grid max-w-prose gap-3">
          <h1 className="font-serif text-4xl leading-tight sm:text-5xl">{t("shop.title")}</h1>
          <p className="text-lg text-ink-soft">{t("shop.lead")}</p>
        </div>
        {session.state === "signed in" && (
          <Button asChild variant="quiet">
            <Link to={paths.cards()}>{t("shop.yours")}</Link>
          </Button>
        )}
      </header>
      {catalogue.isPending || session.state === "loading" ? (
        <div className="grid gap-8 lg:grid-cols-2" aria-busy>
          <Skeleton className="h-[34rem] rounded-3xl" />
          <Skeleton className="h-[34rem] rounded-3xl" />
        </div>
      ) : catalogue.isLoadingError ? (
        <Problem error={new Error(t("shop.failed"))} retry={catalogue.refetch} />
      ) : (
        <OrderCard card={catalogue.data.card} person={session.state === "signed in" ? session.user : null} />
      )}
      <ShopFacts />
    </div>
  );
}
