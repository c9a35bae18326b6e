import { expect, test } from "vitest";
import { signsOf } from "./signs.ts";

const quiet = { clicks: 60, busiest_day: 6, purchases: 2, own_purchases: 0 };

test("many clicks without a purchase, a burst on one day and own purchases are warning signs", () => {
  expect(signsOf(quiet)).toEqual([]);
  expect(signsOf({ ...quiet, clicks: 100, purchases: 0 })).toEqual(["unbought"]);
  expect(signsOf({ ...quiet, busiest_day: 50 })).toEqual(["burst"]);
  expect(signsOf({ ...quiet, clicks: 1000, busiest_day: 50 })).toEqual([]);
  expect(signsOf({ ...quiet, own_purchases: 1 })).toEqual(["own"]);
});
