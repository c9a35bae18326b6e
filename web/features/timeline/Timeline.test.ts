import { expect, test } from "vitest";
import type { Entry } from "../../data/timeline.queries.ts";
import { type LifeMoment, lifeOf, yearOf } from "./Timeline.tsx";

const entry = (title: string, on_date: string | null): Entry => ({
  id: title,
  title,
  on_date,
  starts_at: null,
  place: "",
  note: "",
  media_id: null,
  created_at: title,
  revision: 1,
});
const said = (moments: LifeMoment[]) =>
  moments.map((moment) => (moment.is === "entry" ? moment.entry.title : moment.is));
const rosa = { birth_date: "1931-03-12", passing_date: "2019-05-04" };
const unknown = { birth_date: null, passing_date: null };

test("moments sort by date, with birth and passing at their dates", () => {
  const moments = lifeOf(rosa, [
    entry("funeral", "2019-05-09"),
    entry("school", "1937-09"),
    entry("parents' wedding", "1929-06"),
    entry("first tooth", "1931-10-01"),
    entry("a summer", "1937-22"),
  ]);
  expect(said(moments)).toEqual(["parents' wedding", "born", "first tooth", "a summer", "school", "died", "funeral"]);
});

test("a moment with only a year comes after the birth and before the passing of that year", () => {
  const moments = lifeOf(rosa, [entry("moved", "1931"), entry("about then", "1931~"), entry("last summer", "2019")]);
  expect(said(moments)).toEqual(["born", "about then", "moved", "last summer", "died"]);
});

test("a life of which only the years are known begins with birth and ends with passing", () => {
  const moments = lifeOf({ birth_date: "1931", passing_date: "2019" }, [
    entry("last birthday", "2019-03-12"),
    entry("baptism", "1931-04-05"),
    entry("born at home", "1931"),
  ]);
  expect(said(moments)).toEqual(["born", "born at home", "baptism", "last birthday", "died"]);
});

test("moments without a date come last, and those of the same date as they were added", () => {
  const moments = lifeOf(unknown, [entry("c", null), entry("b", "1950-01-02"), entry("a", "1950-01-02")]);
  expect(said(moments)).toEqual(["a", "b", "c"]);
});

test("an early year has no leading zeros, and a decade has no year", () => {
  expect(yearOf("0988-02-01")).toBe("988");
  expect(yearOf("193X")).toBeUndefined();
});
