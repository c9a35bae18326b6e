import { useTranslation } from "react-i18next";
import { useVoucherForm } from "../../actions/voucher-form.ts";
import type { CataloguePlan } from "../../data/catalogue.queries.ts";
import { useVoucher } from "../../lib/session/voucher.ts";
import { CodeForm } from "../../ui/CodeForm.tsx";

/** Renders the field for a voucher code, whose discount the prices above include. */
export function VoucherEntry({ plans }: { plans: readonly CataloguePlan[] }) {
  const { t } = useTranslation("pricing");
  const { status, covers } = useVoucher();
  const form = useVoucherForm();
  const inParts = status === "valid" && plans.some(({ id, plan_prices }) => plan_prices.length > 0 && !covers(id));
  return (
    <div className="grid gap-x-12 gap-y-4 rounded-3xl bg-sunken p-6 sm:p-8 md:grid-cols-2 md:items-center">
      <div className="grid gap-1">
        <h2 className="font-serif text-2xl">{t("voucher.title")}</h2>
        <p className="text-ink-soft">{inParts ? t("voucherParts") : t("voucher.text")}</p>
      </div>
      <CodeForm {...form} />
    </div>
  );
}
