import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { Currency } from "../../../shared/money.ts";
import { useAddToCart } from "../../actions/add-to-cart.ts";
import { amountIn, type CataloguePlan } from "../../data/catalogue.queries.ts";
import { useSession } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";

/** Renders the button that adds a plan to the cart. For the free plan it links to the registration. */
export function ChoosePlan({ plan, currency }: { plan: CataloguePlan; currency: Currency }) {
  const { t } = useTranslation("pricing");
  const { state } = useSession();
  const navigate = useNavigate();
  const add = useAddToCart();
  if (amountIn(currency, plan.plan_prices) === undefined) {
    if (state === "signed in") return null;
    return (
      <Button asChild variant="quiet">
        <Link to={paths.register()}>{t("start")}</Link>
      </Button>
    );
  }
  const choose = () =>
    !add.isPending &&
    add.mutate([{ plan_id: plan.id, currency }], { onSuccess: (added) => added && navigate(paths.cart()) });
  return (
    <>
      <Button aria-disabled={add.isPending} onClick={choose}>
        {t("choose", { plan: plan.name })}
      </Button>
      {add.isError && (
        <p role="alert" className="text-sm font-semibold text-danger-text">
          {t("notAdded")}
        </p>
      )}
    </>
  );
}
