import type { Series } from "./alerts.ts";

/** The values of `/metrics` at a moment. */
export interface Scrape {
  /** Seconds since 1970. */
  at: number;
  /** By the series with its labels, as Prometheus stores them. */
  values: Map<string, number>;
}

/** Reads `/metrics` as the Prometheus of docs/operations.md does. */
export async function scrape(port: number): Promise<Scrape> {
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const at = Date.now() / 1000;
  const values = new Map<string, number>();
  for (const line of (await reply.text()).split("\n")) {
    const [, name = "", labels = "", value] = line.match(/^(\w+)(?:\{(.*)\})? (\S+)$/) ?? [];
    if (name) values.set(`${name}{${asStored(labels)}}`, Number(value));
  }
  return { at, values };
}

/** The default of `scrape_timeout`. */
const PATIENCE_MS = 10_000;

/** Prometheus gives each series the labels of its target, and renames those that a server gave the same names. */
function asStored(labels: string): string {
  const own = labels.replace(/(?<=^|,)(?=(?:job|instance)=")/g, "exported_");
  return [...(own ? [own] : []), 'job="skies"', 'instance="127.0.0.1:9464"'].join();
}

/** The sum of a metric's values whose labels contain all of these. */
export const sumOf = ({ values }: Scrape, metric: string, ...labels: string[]): number =>
  [...values].reduce(
    (sum, [series, value]) =>
      series.startsWith(`${metric}{`) && labels.every((label) => series.includes(label)) ? sum + value : sum,
    0,
  );

/** What was read around an outage. */
export interface Outage {
  /** Two scrapes of a usual time, between which people used the site. */
  usual: [Scrape, Scrape];
  /** Just before it. */
  before: Scrape;
  during: Scrape;
}

/** The minutes of the usual time, before an outage. */
export const USUAL_MINUTES = 60;

/**
 * The series that Prometheus would store, for so many minutes: an hour of the usual time, and then the outage unless it
 * `isUsual` all the time. A gauge keeps its value. A counter grows each minute as between the two scrapes. Times are
 * relative to the scrapes, because promtool's clock begins at 0; in the usual time they move on, so that an age stays.
 * Only metrics of the rule's expression are stored.
 */
export function seriesOf(expression: string, outage: Outage, minutes: number, isUsual: boolean): Series {
  const metrics = new Set(expression.match(/\bskies_\w+/g));
  const { usual, before, during } = outage;
  const names = [...new Set([...before.values.keys(), ...during.values.keys()])].filter((series) =>
    metrics.has(series.slice(0, series.indexOf("{"))),
  );
  return Object.fromEntries(
    names.map((series) => {
      const usually = usualValues(series, usual, before, isUsual ? minutes : USUAL_MINUTES);
      return [series, isUsual ? usually : `${usually} ${outageValues(series, outage, minutes - USUAL_MINUTES)}`];
    }),
  );
}

const isCounter = (series: string) => /^\w+_(count|bucket|total)\{/.test(series);
const isTime = (series: string) => /^\w+_timestamp_seconds\{/.test(series);
const steps = (first: number, step: number, count: number) => `${first}${step < 0 ? "" : "+"}${step}x${count - 1}`;

function usualValues(series: string, [first, second]: Outage["usual"], before: Scrape, count: number): string {
  const value = before.values.get(series);
  if (value === undefined) return `_x${count}`;
  if (isCounter(series)) return steps(value, growth(series, first, second), count);
  // A time of 0 means never.
  if (isTime(series) && value > 0) return steps(Math.round(value - before.at), 60, count);
  return steps(value, 0, count);
}

function outageValues(series: string, { usual: [first, second], before, during }: Outage, count: number): string {
  const value = during.values.get(series);
  if (value === undefined) return `_x${count}`;
  if (isCounter(series)) {
    const step = growth(series, before, during);
    const usually = before.values.get(series);
    const reached = usually === undefined ? 0 : usually + growth(series, first, second) * (USUAL_MINUTES - 1);
    return steps(reached + step, step, count);
  }
  if (isTime(series) && value > 0) return steps(Math.round(value - during.at) + USUAL_MINUTES * 60, 0, count);
  return steps(value, 0, count);
}

const growth = (series: string, from: Scrape, to: Scrape) =>
  (to.values.get(series) ?? 0) - (from.values.get(series) ?? 0);
