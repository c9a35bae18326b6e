import { expect, test } from "vitest";
import { skyOf } from "./memory-sky.ts";

const tribute = {
  id: "0d2f6a3e-3c1b-4d5e-8f90-1a2b3c4d5e6f",
  kind: "tribute" as const,
  birth_date: "1931-03-12",
  passing_date: "2019-05-04",
  event_date: null,
  created_at: "2026-11-20T10:00:00+00:00",
};

test("a memory's sky is the same every time", () => {
  expect(skyOf(tribute)).toEqual(skyOf({ ...tribute }));
});

test("a tribute's sky has the season of the passing, and a few stars", () => {
  const { moment, stars } = skyOf(tribute);
  expect([moment.getMonth(), moment.getDate()]).toEqual([4, 4]);
  expect(stars).toBeGreaterThan(0);
});

test("a date with only a year gives each memory a fixed season", () => {
  const skies = ["a", "b", "c", "d", "e"].map((id) => skyOf({ ...tribute, id, passing_date: "2019" }).moment);
  expect(new Set(skies.map((moment) => moment.getMonth())).size).toBeGreaterThan(1);
  for (const moment of skies) expect(moment.getFullYear()).toBe(2019);
  expect(skyOf({ ...tribute, passing_date: "2019" })).toEqual(skyOf({ ...tribute, passing_date: "2019" }));
  expect(skyOf({ ...tribute, passing_date: "2019-22" }).moment.getMonth()).toBe(5);
});

test("an event's sky is by day, without stars", () => {
  const { moment, stars } = skyOf({ ...tribute, kind: "event", event_date: "2026-06-20" });
  expect(moment.getMonth()).toBe(5);
  expect(moment.getHours()).toBeGreaterThanOrEqual(7);
  expect(stars).toBe(0);
});

test("a memory without dates has the sky of the day it was made", () => {
  const { moment } = skyOf({ ...tribute, birth_date: null, passing_date: null });
  expect([moment.getFullYear(), moment.getMonth()]).toEqual([2026, 10]);
});
