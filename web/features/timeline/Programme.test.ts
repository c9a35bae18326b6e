import { expect, test } from "vitest";
import type { Entry } from "../../data/timeline.queries.ts";
import { clock, programmeOf } from "./Programme.tsx";

const part = (title: string, starts_at: string | null, on_date: string | null = null): Entry => ({
  id: title,
  title,
  on_date,
  starts_at,
  place: "",
  note: "",
  media_id: null,
  created_at: title,
  revision: 1,
});
const said = (date: string | null, parts: Entry[]) =>
  programmeOf(date, parts).map(({ day, parts }) => [day, ...parts.map(({ title }) => title)]);

test("the entries of a day sort by time, and entries without a time come last", () => {
  expect(
    said("2026-07-11", [part("dancing", "21:00:00"), part("any time", null), part("ceremony", "15:30:00")]),
  ).toEqual([["2026-07-11", "ceremony", "dancing", "any time"]]);
});

test("an entry after midnight, or on the day before, is listed under its own day", () => {
  expect(
    said("2026-07-11", [
      part("last bus", "00:40:00", "2026-07-12"),
      part("ceremony", "15:30:00"),
      part("supper", "19:00:00", "2026-07-10"),
    ]),
  ).toEqual([
    ["2026-07-10", "supper"],
    ["2026-07-11", "ceremony"],
    ["2026-07-12", "last bus"],
  ]);
});

test("an event without a date has one list", () => {
  expect(said(null, [part("b", "10:00:00"), part("a", "09:00:00")])).toEqual([[undefined, "a", "b"]]);
});

test("a time is shown without seconds", () => {
  expect(clock("09:05:00")).toBe("09:05");
});
