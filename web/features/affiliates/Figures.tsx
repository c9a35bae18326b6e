import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import { Section } from "./Section.tsx";

/** How many came, how many of them bought. */
export function Figures({ clicks, sales }: { clicks: number; sales: number }) {
  const { t, i18n } = useTranslation("affiliates");
  const locale = localeOf(i18n.language);
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const figures = [
    ["clicks", number.format(clicks)],
    ["sales", number.format(sales)],
    ["conversion", clicks > 0 ? percent.format(Math.min(1, sales / clicks)) : "–"],
  ] as const;
  return (
    <Section title={t("figures.title")}>
      <dl className="m-0 grid gap-5 sm:grid-cols-3 lg:grid-cols-1">
        {figures.map(([figure, value]) => (
          <div key={figure} className="flex flex-col border-t border-line pt-3">
            <dt className="font-semibold">{t(`figures.${figure}`)}</dt>
            <dd className="m-0 font-serif text-4xl tabular-nums">{value}</dd>
            <dd className="m-0 text-sm text-ink-soft">{t(`figures.${figure}Text`)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
