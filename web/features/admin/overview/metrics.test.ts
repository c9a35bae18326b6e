import { expect, test } from "vitest";
import type { FigureRow } from "./figures.queries.ts";
import { changeOf, figuresCsv, METRICS, totalOf, valuesOf } from "./metrics.ts";

const row = (since: string, is_current: boolean, sign_ups: number, stored: number | null): FigureRow => ({
  since,
  is_current,
  sign_ups,
  stored,
  memories: 0,
  photos: 0,
  videos: 0,
  accounts: null,
  active: null,
  all_memories: null,
  all_media: null,
  revenue: { GBP: 4550 },
  refunds: {},
  cards: {},
  counted_at: null,
});
const ROWS = [row("2026-01-01", false, 2, 10), row("2026-01-02", true, 3, 30), row("2026-01-03", true, 4, null)];
const metric = (name: string) => METRICS.find((one) => one.name === name) ?? METRICS[0];

test("flows are summed, levels use the last value, and both are compared with the period before", () => {
  const [signUps, storage] = [metric("signUps"), metric("storage")];
  if (!signUps || !storage) throw new Error("A metric is missing");
  const totals = (one: typeof signUps) => [false, true].map((current) => totalOf(one, valuesOf(one, ROWS, current)));
  expect(totals(signUps)).toEqual([2, 7]);
  expect(totals(storage)).toEqual([10, 30]);
  expect(changeOf(2, 7)).toBe(250);
  expect(changeOf(0, 7)).toBeUndefined();
});

test("a spreadsheet has a line for each period, with money in pounds", () => {
  const [head, first, , last] = figuresCsv(ROWS).split("\r\n");
  expect(head).toBe(
    "since,signUps,active,memories,photos,videos,storage,revenue GBP,refunds GBP,revenue EUR,refunds EUR",
  );
  expect(first).toBe("2026-01-01,2,,0,0,0,10,45.50,0.00,0.00,0.00");
  expect(last).toBe("2026-01-03,4,,0,0,0,,45.50,0.00,0.00,0.00");
});
