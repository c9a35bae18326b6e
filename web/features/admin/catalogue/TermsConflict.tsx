import { useTranslation } from "react-i18next";
import { CURRENCIES } from "../../../../shared/money.ts";
import { EditConflict } from "../../../data/save-over.ts";
import { price } from "../../../lib/formatting/currency.ts";
import { ConflictNote } from "../../../ui/ConflictNote.tsx";
import type { CardTerms, PlanTerms } from "./prices.queries.ts";

type Terms = CardTerms | PlanTerms;

interface TermsConflictProps<T extends Terms> {
  error: Error | null;
  onSave: (change: { base: T; terms: Partial<T> }) => void;
}

/** Asks whose terms stay, after another administrator changed the same ones of a plan or the card; otherwise nothing. */
export function TermsConflict<T extends Terms>({ error, onSave }: TermsConflictProps<T>) {
  const { t } = useTranslation("adminCatalogue");
  if (!(error instanceof EditConflict)) return null;
  const { stored, changes, others, fields } = error as EditConflict<PlanTerms & CardTerms>;
  const label = (name: (typeof fields)[number]) => {
    const currency = CURRENCIES.find((one) => one === name);
    if (currency) return t("priceIn", { currency });
    return t(name === "discounts" ? name : `plan.${name as "name"}`);
  };
  const text = (name: (typeof fields)[number], row: Partial<PlanTerms & CardTerms>) => {
    const currency = CURRENCIES.find((one) => one === name);
    const amount = currency && row[currency];
    if (currency) return amount ? price(amount, currency) : "";
    if (name === "discounts") {
      return Object.entries(row.discounts ?? {})
        .map((step) => step.join(": "))
        .join(", ");
    }
    return String(row[name] ?? "");
  };
  return (
    <ConflictNote
      changes={fields.map((name) => ({ label: label(name), theirs: text(name, stored), mine: text(name, changes) }))}
      onMine={() => onSave({ base: stored as T, terms: changes as Partial<T> })}
      onTheirs={() => onSave({ base: stored as T, terms: others as Partial<T> })}
    />
  );
}
