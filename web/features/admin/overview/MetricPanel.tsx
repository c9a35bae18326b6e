import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { Panel } from "../../../ui/Panel.tsx";
import { DeskTable } from "../DeskTable.tsx";
import type { FigureRow, Period } from "./figures.queries.ts";
import { changeOf, type Metric, totalOf, valuesOf } from "./metrics.ts";
import { Plot } from "./Plot.tsx";

/** One figure over a period, beside the period before: its total, a plot, and the same as a table. */
export function MetricPanel({ metric, rows, period }: { metric: Metric; rows: readonly FigureRow[]; period: Period }) {
  const { t, i18n } = useTranslation("adminOverview");
  const locale = localeOf(i18n.language);
  const day = new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    ...(period === "month" ? { month: "short", year: "2-digit" } : { day: "numeric", month: "short" }),
  });
  const [before, now] = [valuesOf(metric, rows, false), valuesOf(metric, rows, true)];
  const [wasTotal, total] = [totalOf(metric, before), totalOf(metric, now)];
  const change = changeOf(wasTotal, total);
  const write = (value: number | null | undefined) =>
    value === null || value === undefined ? "–" : metric.text(value, locale);
  const points = rows
    .filter(({ is_current }) => is_current)
    .map(({ since }, index) => ({ label: day.format(new Date(since)), now: now[index], before: before[index] }));
  const title = t(`metrics.${metric.name}`, { currency: metric.currency });
  return (
    <Panel compact title={title}>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-serif text-3xl tabular-nums">{write(total)}</span>
        <span className="text-ink-soft">
          {change === undefined
            ? t("compare.none")
            : t(`compare.${period}`, {
                change: new Intl.NumberFormat(locale, { style: "percent", signDisplay: "exceptZero" })
                  .format(change / 100)
                  .replace("-", "−"),
                before: write(wasTotal),
              })}
        </span>
      </p>
      <Plot
        labels={points.map(({ label }) => label)}
        now={now}
        before={before}
        text={(value) => metric.text(value, locale)}
        least={metric.least}
      />
      <details>
        <summary className="min-h-11 cursor-pointer content-center font-semibold text-deep">{t("table.open")}</summary>
        <DeskTable
          caption={title}
          rows={points}
          keyOf={({ label }) => label}
          columns={[
            { head: t(`table.${period}`), cell: ({ label }) => label },
            { head: t("table.now"), align: "end", cell: (point) => write(point.now) },
            { head: t("table.before"), align: "end", cell: (point) => write(point.before) },
          ]}
        />
      </details>
    </Panel>
  );
}
