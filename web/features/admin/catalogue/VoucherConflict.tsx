import { useTranslation } from "react-i18next";
import type { CataloguePlan } from "../../../data/catalogue.queries.ts";
import type { EditConflict } from "../../../data/save-over.ts";
import { dateText } from "../../../lib/formatting/locale.ts";
import { ConflictNote } from "../../../ui/ConflictNote.tsx";
import type { VoucherRow } from "./catalogue.queries.ts";

/** The labels of the columns' fields in the form. */
const LABELS = {
  code: "code",
  percentage: "percentage",
  ends_at: "ends",
  max_uses: "uses",
  max_uses_per_person: "each",
  plan_ids: "covers",
  applies_to_cards: "cardsToo",
  active: "active",
  note: "note",
} as const;

interface VoucherConflictProps {
  conflict: EditConflict<VoucherRow>;
  plans: readonly CataloguePlan[];
  onSave: (change: { base: VoucherRow; changes: Partial<VoucherRow> }) => void;
}

/** Asks whose changes stay, after another administrator changed the same fields of a voucher. */
export function VoucherConflict({
  conflict: { stored, changes, others, fields },
  plans,
  onSave,
}: VoucherConflictProps) {
  const { t, i18n } = useTranslation("adminCatalogue");
  const text = (name: keyof typeof LABELS, row: VoucherRow): string => {
    if (name === "percentage") return `${row.percentage}%`;
    if (name === "ends_at") return row.ends_at ? dateText(row.ends_at, i18n.language) : "";
    if (name === "plan_ids")
      return plans
        .filter(({ id }) => row.plan_ids?.includes(id) ?? true)
        .map((plan) => plan.name)
        .join(", ");
    if (name === "active" || name === "applies_to_cards") return row[name] ? "✓" : "–";
    return String(row[name] ?? "");
  };
  return (
    <ConflictNote
      changes={(fields as (keyof typeof LABELS)[]).map((name) => ({
        label: t(LABELS[name]),
        theirs: text(name, stored),
        mine: text(name, { ...stored, ...changes }),
      }))}
      onMine={() => onSave({ base: stored, changes })}
      onTheirs={() => onSave({ base: stored, changes: others })}
    />
  );
}
