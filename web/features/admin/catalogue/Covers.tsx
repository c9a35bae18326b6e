import { useTranslation } from "react-i18next";
import type { CataloguePlan } from "../../../data/catalogue.queries.ts";
import type { VoucherFields } from "./catalogue.queries.ts";

type Covered = Pick<VoucherFields, "plan_ids" | "applies_to_cards">;

interface CoversProps {
  plans: readonly CataloguePlan[];
  value: Covered;
  onChange: (covered: Covered) => void;
}

/** Which plans a voucher is for, and whether it is for cards. All plans, also those to come, where every box is ticked. */
export function Covers({ plans, value: { plan_ids, applies_to_cards }, onChange }: CoversProps) {
  const { t } = useTranslation("adminCatalogue");
  const sold = plans.filter(({ plan_prices }) => plan_prices.length > 0).map(({ id, name }) => ({ id, name }));
  const isOn = (id: string) => plan_ids === null || plan_ids.includes(id);
  const toggle = (id: string, on: boolean) => {
    const ids = sold.map((plan) => plan.id).filter((one) => (one === id ? on : isOn(one)));
    onChange({ applies_to_cards, plan_ids: ids.length === sold.length ? null : ids });
  };
  return (
    <fieldset className="m-0 grid min-w-0 gap-1">
      <legend className="font-semibold">{t("covers")}</legend>
      {[...sold, { id: "", name: t("cardsToo") }].map(({ id, name }) => (
        <label key={id} className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            checked={id === "" ? applies_to_cards : isOn(id)}
            onChange={({ target }) =>
              id === "" ? onChange({ plan_ids, applies_to_cards: target.checked }) : toggle(id, target.checked)
            }
            className="size-5 accent-deep"
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
