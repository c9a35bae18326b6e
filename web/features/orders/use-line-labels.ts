import { useTranslation } from "react-i18next";
import type { OrderLine } from "./orders.queries.ts";

/** Returns a function that formats a line of an order as a name and further details. */
export function useLineLabels() {
  const { t } = useTranslation("orders");
  return ({ kind, quantity, terms }: OrderLine): { name: string; more: string } => {
    if (kind === "card") return { name: t("cards", { count: quantity }), more: "" };
    const { name, term_years, included_cards } = terms;
    const more = [
      term_years && t("years", { count: term_years }),
      included_cards && t("included", { count: included_cards }),
    ];
    return { name, more: more.filter(Boolean).join(", ") };
  };
}
