import { CURRENCIES, type Currency, moneyText } from "../../../../shared/money.ts";
import { numberText } from "../../../../shared/number-text.ts";
import { sizeText } from "../../../../shared/storage.ts";
import type { FigureRow } from "./figures.queries.ts";

/** A plotted metric: a sum over each period, or a level at the end of each period (`isLevel`). */
export interface Metric {
  /** A key of `adminOverview:metrics`. */
  name: "signUps" | "active" | "memories" | "photos" | "videos" | "storage" | "revenue" | "refunds";
  currency?: Currency;
  isLevel?: true;
  value: (row: FigureRow) => number | null;
  text: (value: number, locale: string) => string;
  /** The minimum of the axis's upper end. */
  least: number;
}

export const METRICS: readonly Metric[] = [
  { name: "signUps", value: (row) => row.sign_ups, text: numberText, least: 4 },
  { name: "active", isLevel: true, value: (row) => row.active, text: numberText, least: 4 },
  { name: "memories", value: (row) => row.memories, text: numberText, least: 4 },
  { name: "photos", value: (row) => row.photos, text: numberText, least: 4 },
  { name: "videos", value: (row) => row.videos, text: numberText, least: 4 },
  { name: "storage", isLevel: true, value: (row) => row.stored, text: sizeText, least: 4 * 1024 * 1024 },
  ...CURRENCIES.flatMap((currency): Metric[] => [
    {
      name: "revenue",
      currency,
      value: (row) => row.revenue[currency] ?? 0,
      text: (value) => moneyText(value, currency),
      least: 4000,
    },
    {
      name: "refunds",
      currency,
      value: (row) => row.refunds[currency] ?? 0,
      text: (value) => moneyText(value, currency),
      least: 4000,
    },
  ]),
];

/** The values of this period or of the previous one. */
export const valuesOf = (metric: Metric, rows: readonly FigureRow[], current: boolean): (number | null)[] =>
  rows.filter(({ is_current }) => is_current === current).map(metric.value);

/** A period's total: the sum, or the last value of a level. */
export function totalOf(metric: Metric, values: readonly (number | null)[]): number | null {
  if (!metric.isLevel) return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return values.findLast((value) => value !== null) ?? null;
}

/** The change between two totals in whole percent; undefined if there was nothing before. */
export const changeOf = (before: number | null, now: number | null): number | undefined =>
  before && now !== null ? Math.round((100 * (now - before)) / before) : undefined;

/** All figures as CSV, with money in pounds and euros, storage in bytes. */
export function figuresCsv(rows: readonly FigureRow[]): string {
  const columns = METRICS.map(
    (metric) => [metric.currency ? `${metric.name} ${metric.currency}` : metric.name, metric] as const,
  );
  const cell = ({ currency, value }: Metric, row: FigureRow) => {
    const figure = value(row);
    return figure === null ? "" : currency ? (figure / 100).toFixed(2) : String(figure);
  };
  return [
    ["since", ...columns.map(([head]) => head)],
    ...rows.map((row) => [row.since, ...columns.map(([, metric]) => cell(metric, row))]),
  ]
    .map((line) => `${line.join(",")}\r\n`)
    .join("");
}
