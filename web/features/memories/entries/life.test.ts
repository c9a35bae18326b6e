import { expect, test } from "vitest";
import type { Entry } from "./entries.queries.ts";
import { type LifeMoment, lifeOf, yearOf } from "./life.ts";

const entry = (title: string, on_date: string | null, date_precision: Entry["date_precision"] = "day"): Entry => ({
  id: title,
  title,
  on_date,
  date_precision,
  starts_at: null,
  place: "",
  note: "",
  media_id: null,
  created_at: title,
});
const said = (moments: LifeMoment[]) =>
  moments.map((moment) => (moment.is === "entry" ? moment.entry.title : moment.is));
const rosa = { birth_date: "1931-03-12", passing_date: "2019-05-04" };

test("a life is told in the order in which it was lived, with birth and passing in their places", () => {
  const moments = lifeOf(rosa, [
    entry("funeral", "2019-05-09"),
    entry("school", "1937-09-01", "month"),
    entry("parents' wedding", "1929-06-01", "month"),
    entry("first tooth", "1931-10-01"),
  ]);
  expect(said(moments)).toEqual(["parents' wedding", "born", "first tooth", "school", "died", "funeral"]);
});

test("what is only known by its year comes after birth and before passing", () => {
  const moments = lifeOf(rosa, [entry("moved", "1931-01-01", "year"), entry("last summer", "2019-01-01", "year")]);
  expect(said(moments)).toEqual(["born", "moved", "last summer", "died"]);
});

test("a date is as exact as it is known", () => {
  const dates = lifeOf({ birth_date: null, passing_date: null }, [
    entry("a", "1950-01-01", "year"),
    entry("b", "1951-02-01", "month"),
    entry("c", "1952-03-04"),
    entry("d", null),
  ]).map(({ date }) => date);
  expect(dates).toEqual(["1950", "1951-02", "1952-03-04", undefined]);
});

test("what happened at the same time stands as it was added", () => {
  const moments = lifeOf({ birth_date: null, passing_date: null }, [
    entry("b", "1950-01-02"),
    entry("a", "1950-01-02"),
  ]);
  expect(said(moments)).toEqual(["a", "b"]);
});

test("an early year is said without noughts", () => {
  expect(yearOf("0988-02-01")).toBe("988");
});
