import { afterEach, expect, test } from "vitest";
import type { MemoryDays } from "../../../shared/memory-sky.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import { saidDates } from "./MemoryCover.tsx";

const tribute: MemoryDays = { kind: "tribute", birth_date: null, passing_date: null, event_date: null };
const zone = process.env.TZ;
afterEach(() => {
  process.env.TZ = zone;
});

test.each(["Pacific/Kiritimati", "Pacific/Midway", "Europe/Rome", "UTC"])("a day stays the same day in %s", (name) => {
  process.env.TZ = name;
  expect(writtenDate("1931-03-12", "en")).toBe("12 March 1931");
  expect(writtenDate("2024-02-29", "en")).toBe("29 February 2024");
});

test("a tribute shows its birth and passing, or the one that is known", () => {
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

test.each([
  ["1931", "en", "1931"],
  ["1931~", "en", "about 1931"],
  ["1931-22", "en", "in summer 1931"],
  ["193X", "en", "in the 1930s"],
  ["1931-03", "en", "March 1931"],
  ["1931~", "it", "intorno al 1931"],
  ["1931-22", "it", "estate 1931"],
  ["193X", "it", "anni ’30"],
])("a birth that is known as %s is said in a sentence (%s): %s", (birth_date, language, first) => {
  expect(saidDates({ ...tribute, birth_date }, language)).toEqual({ says: "born", first });
});

test("an event shows its day only", () => {
  const event: MemoryDays = { ...tribute, kind: "event", birth_date: "1931-03-12", event_date: "2026-06-20" };
  expect(saidDates(event, "it")).toEqual({ says: "on", first: "20 giugno 2026" });
  expect(saidDates({ ...event, event_date: null }, "it")).toBeUndefined();
});
