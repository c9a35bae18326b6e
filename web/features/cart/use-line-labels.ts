import { useTranslation } from "react-i18next";
import type { CartItem } from "../../data/cart-item.ts";
import type { CataloguePlan } from "../../data/catalogue.queries.ts";

/** The texts of a cart's line. */
export function useLineLabels(plans: readonly CataloguePlan[]) {
  const { t } = useTranslation("cart");
  return ({ plan_id, item }: Pick<CartItem, "plan_id" | "item">) => {
    const plan = plans.find(({ id }) => id === plan_id);
    if (plan_id === null) return { name: t("card"), details: engravedOn(item) || t("cardText") };
    const term = plan?.term_years ? t("years", { count: plan.term_years }) : "";
    const cards = plan?.included_cards ? t("included", { count: plan.included_cards }) : "";
    return { name: plan?.name ?? plan_id, details: [term, cards].filter(Boolean).join(" · ") };
  };
}

/** The text on a card, if already chosen. */
function engravedOn({ engraving }: CartItem["item"]): string {
  if (typeof engraving !== "object" || engraving === null) return "";
  const { name, dates } = engraving as { name?: unknown; dates?: unknown };
  return [name, dates].filter((part) => typeof part === "string" && part !== "").join(", ");
}
