import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import UPlot from "uplot";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { Panel } from "../../../ui/Panel.tsx";
import { DeskTable } from "../DeskTable.tsx";
import type { FigureRow, Period } from "./figures.queries.ts";
import { changeOf, type Metric, totalOf, valuesOf } from "./metrics.ts";

/** One metric over a period and the previous one: its total, a plot and a table. */
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

interface PlotProps {
  /** The names of the points. */
  labels: readonly string[];
  now: readonly (number | null)[];
  /** The values of the previous period. */
  before: readonly (number | null)[];
  text: (value: number) => string;
  /** The axis's minimum range, so that small values are not drawn as peaks. */
  least: number;
}

const HEIGHT = 160;

/** The colour of a token in the current theme. */
const colour = (token: string) => getComputedStyle(document.documentElement).getPropertyValue(token).trim();

/** A plot of this period and the previous one (dashed), with the same data as a table. */
function Plot({ labels, now, before, text, least }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const texts = useRef({ labels, text });
  texts.current = { labels, text };
  // Serialised, so that the effect compares values and an equal array causes no redraw.
  const data = JSON.stringify([now.map((_value, index) => index), now, before]);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const axis = { stroke: () => colour("--ink-soft"), grid: { stroke: () => colour("--line"), width: 1 } };
    const font = `12px ${getComputedStyle(element).fontFamily}`;
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        padding: [8, 12, 0, 0],
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: (_plot, _least, most) => [0, Math.max(least, most * 1.05)] } },
        axes: [
          {
            ...axis,
            font,
            grid: { show: false },
            ticks: { show: false },
            size: 30,
            space: 70,
            incrs: [1, 2, 5, 7, 10],
            values: (_plot, points) => points.map((point) => texts.current.labels[point] ?? ""),
          },
          {
            ...axis,
            font,
            ticks: { show: false },
            size: 62,
            space: 40,
            values: (_plot, values) => values.map((value) => texts.current.text(value)),
          },
        ],
        series: [
          {},
          { stroke: () => colour("--deep"), fill: () => `${colour("--deep")}22`, width: 2, points: { show: false } },
          { stroke: () => colour("--ink-soft"), width: 1.5, dash: [4, 4], points: { show: false } },
        ],
      },
      JSON.parse(data) as UPlot.AlignedData,
      element,
    );
    const sized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    const themed = new MutationObserver(() => plot.redraw());
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      sized.disconnect();
      themed.disconnect();
      plot.destroy();
    };
  }, [data, least]);
  return <div ref={place} aria-hidden className="min-w-0 overflow-hidden" style={{ height: HEIGHT }} />;
}
