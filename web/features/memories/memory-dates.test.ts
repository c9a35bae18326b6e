import { afterEach, expect, test } from "vitest";
import { type MemoryDays, saidDates, writtenDate, writtenDay } from "./memory-dates.ts";

const tribute: MemoryDays = { kind: "tribute", birth_date: null, passing_date: null, event_date: null };
const zone = process.env.TZ;

afterEach(() => {
  process.env.TZ = zone;
});

test("dates are written in the reader's language", () => {
  expect(writtenDay("1931-03-12", "en")).toBe("12 March 1931");
  expect(writtenDay("1931-03-12", "it")).toBe("12 marzo 1931");
});

test.each(["Pacific/Kiritimati", "Pacific/Midway", "Europe/Rome", "UTC"])("a day stays the same day in %s", (name) => {
  process.env.TZ = name;
  expect(writtenDay("1931-03-12", "en")).toBe("12 March 1931");
  expect(writtenDay("2024-02-29", "en")).toBe("29 February 2024");
});

test("a date is written as exactly as it is known", () => {
  expect(writtenDate("1998", "en")).toBe("1998");
  expect(writtenDate("1998-05", "it")).toBe("maggio 1998");
  expect(writtenDate("1998-05-12", "en")).toBe("12 May 1998");
  expect(writtenDate("2015-02-09", "en", true)).toBe("9 Feb 2015");
});

test("a tribute says its birth and its passing, or the one that is known", () => {
  const [birth_date, passing_date] = ["1931-03-12", "2019-05-04"];
  expect(saidDates({ ...tribute, birth_date, passing_date }, "en")).toEqual({
    says: "life",
    first: "12 March 1931",
    last: "4 May 2019",
  });
  expect(saidDates({ ...tribute, birth_date }, "en")).toEqual({ says: "born", first: "12 March 1931" });
  expect(saidDates({ ...tribute, passing_date }, "en")).toEqual({ says: "died", last: "4 May 2019" });
  expect(saidDates(tribute, "en")).toBeUndefined();
});

test("an event says its one day, whatever else is filled in", () => {
  const event: MemoryDays = { ...tribute, kind: "event", birth_date: "1931-03-12", event_date: "2026-06-20" };
  expect(saidDates(event, "it")).toEqual({ says: "on", first: "20 giugno 2026" });
  expect(saidDates({ ...event, event_date: null }, "it")).toBeUndefined();
});
