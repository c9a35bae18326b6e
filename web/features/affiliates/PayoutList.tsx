import { useTranslation } from "react-i18next";
import { price } from "../../lib/formatting/currency.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import type { Payout } from "./affiliates.queries.ts";
import { Section } from "./Section.tsx";

/** What was paid out, the newest first. */
export function PayoutList({ payouts }: { payouts: readonly Payout[] }) {
  const { t, i18n } = useTranslation("affiliates");
  const locale = localeOf(i18n.language);
  return (
    <Section title={t("payouts.title")}>
      {payouts.length === 0 ? (
        <p className="text-ink-soft">{t("payouts.empty")}</p>
      ) : (
        <ul className="m-0 grid list-none p-0">
          {payouts.map(({ id, paid_at, amount, currency, reference }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-6 border-t border-line py-3">
              <span>{dateText(paid_at, locale)}</span>
              <span className="grow text-ink-soft wrap-anywhere">{reference}</span>
              <span className="font-semibold tabular-nums">{price(amount, currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
