import { expect, test } from "vitest";
import { entryFields, entryOf, fieldsOf, NO_FIELDS } from "./entry-words.ts";

const moment = (year: string, month = "", day = "") => ({ ...NO_FIELDS, title: "School", year, month, day });
const row = { id: "1", created_at: "2026-01-01" };

test.each([
  [moment("1937"), "1937-01-01", "year"],
  [moment("1937", "9"), "1937-09-01", "month"],
  [moment("1937", "9", "1"), "1937-09-01", "day"],
  [moment("988", "2", "29"), "0988-02-29", "day"],
])("a moment keeps what is known of its date", (fields, on_date, date_precision) => {
  expect(entryFields("tribute").safeParse(fields).success).toBe(true);
  const entry = entryOf("tribute", fields);
  expect(entry).toMatchObject({ on_date, date_precision });
  expect(fieldsOf({ ...row, ...entry })).toMatchObject({ year: fields.year, month: fields.month, day: fields.day });
});

test.each([
  [moment(""), "year"],
  [moment("soon"), "year"],
  [moment("0"), "year"],
  [moment("1937", "2", "30"), "day"],
  [moment("1937", "", "3"), "day"],
  [{ ...moment("1937"), title: " " }, "title"],
  [{ ...moment("1937"), note: "x".repeat(2001) }, "note"],
])("a moment that can not be kept says where it is wrong", (fields, path) => {
  const checked = entryFields("tribute").safeParse(fields);
  expect(checked.error?.issues.map((issue) => issue.path[0])).toContain(path);
});

test("a part of a programme has a time, and a day if it is another one", () => {
  const fields = { ...NO_FIELDS, title: "Supper", time: "19:30", place: "The barn" };
  expect(entryFields("event").safeParse(fields).success).toBe(true);
  const entry = entryOf("event", fields);
  expect(entry).toMatchObject({ on_date: null, date_precision: "day", starts_at: "19:30", place: "The barn" });
  expect(fieldsOf({ ...row, ...entry, starts_at: "19:30:00" })).toEqual(fields);
  expect(entryOf("event", { ...fields, date: "2026-07-10" }).on_date).toBe("2026-07-10");
});
