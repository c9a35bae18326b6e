import { useTranslation } from "react-i18next";
import { price } from "../../lib/formatting/currency.ts";
import type { Balance } from "./affiliates.queries.ts";
import { Section } from "./Section.tsx";

/** What was earned and what became of it, in each currency by itself. */
export function Balances({ balances }: { balances: readonly Balance[] }) {
  const { t } = useTranslation("affiliates");
  return (
    <Section title={t("balance.title")}>
      {balances.length === 0 && <p className="text-ink-soft">{t("balance.empty")}</p>}
      {balances.map((balance) => (
        <InCurrency key={balance.currency} balance={balance} />
      ))}
    </Section>
  );
}

function InCurrency({ balance }: { balance: Balance }) {
  const { t } = useTranslation("affiliates");
  const { currency, payable, waiting, paid_out, earned, reversed } = balance;
  const lines = [
    ["waiting", waiting],
    ["paidOut", paid_out],
    ["earned", earned],
    ["reversed", -reversed],
  ] as const;
  return (
    <div className="grid gap-3">
      <h3 className="text-ink-soft">{t(`balance.${currency}`)}</h3>
      <dl className="m-0 grid gap-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="font-semibold">{t("balance.payable")}</dt>
          <dd className="m-0 font-serif text-4xl text-deep tabular-nums">{price(payable, currency)}</dd>
        </div>
        {lines
          .filter(([line, amount]) => line !== "reversed" || amount !== 0)
          .map(([line, amount]) => (
            <div key={line} className="flex justify-between gap-4 border-t border-line pt-2">
              <dt className="text-ink-soft">{t(`balance.${line}`)}</dt>
              <dd className="m-0 tabular-nums">{price(amount, currency)}</dd>
            </div>
          ))}
      </dl>
      {payable < 0 && <p className="rounded-2xl bg-amber-wash px-4 py-3">{t("balance.owed")}</p>}
    </div>
  );
}
