import { expect, test } from "vitest";
import { DATES } from "../../tests/support/approximate-dates.ts";
import { dateOrNull, isUsualYear, textOfDate, typedDate, yearIn } from "./date-text.ts";

const typed = (day: string, month: string, year: string, about = false) => typedDate({ day, month, year, about });

test.each(DATES.filter(([date]) => !date.includes("T")))("%s is shown in its field and typed again", (date) => {
  expect(typedDate(textOfDate(date))).toBe(date);
});

test.each([
  [typed("", "", "1931"), "1931"],
  [typed("", "", " 1931 ", true), "1931~"],
  [typed("12", "3", "1931"), "1931-03-12"],
  [typed("", "3", "1931"), "1931-03"],
  [typed("", "summer", "1962"), "1962-22"],
  [typed("", "decade", "1964"), "196X"],
  [typed("", "", ""), ""],
  [typed("", "", "", true), ""],
])("the typed date is read as %s", (date, expected) => {
  expect(date).toBe(expected);
});

test.each([
  ["", "", "62", "?year"],
  ["", "3", "", "?year"],
  ["12", "3", "", "?year"],
  ["", "", "19x2", "?year"],
  ["", "", "0000", "?year"],
  ["31", "2", "1962", "?day"],
  ["29", "2", "1962", "?day"],
  ["0", "2", "1962", "?day"],
  ["x", "2", "1962", "?day"],
  ["12", "", "1962", "?day"],
  ["12", "summer", "1962", "?day"],
  ["12", "decade", "1962", "?day"],
])("day “%s”, month “%s”, year “%s” is no date: %s", (day, month, year, problem) => {
  expect(typed(day, month, year)).toBe(problem);
  expect(dateOrNull(typed(day, month, year))).toBeNull();
});

test.each([
  [" 1962", "1962"],
  ["1962 ", "1962"],
  ["١٩٦٢", "1962"],
  ["１９６２", "1962"],
  ["१९६२", "1962"],
  ["1\u200b962", "1962"],
  ["14.7.1962", "1962"],
  ["14/07/1962", "1962"],
  ["1962-07-14", "1962"],
  ["14 luglio 1962.", "1962"],
  ["c. 1962", "1962"],
  ["19625", "19625"],
  ["1962 1963", "19621963"],
  ["1962-1963 1964", "19621963"],
  ["196", "196"],
  ["", ""],
])("of %j the year %j is taken", (text, year) => {
  expect(yearIn(text)).toBe(year);
});

test.each(["19625", "1962 1963", "119620714"])("%j is no year, and its field says so", (text) => {
  expect(typed("14", "7", yearIn(text))).toBe("?year");
});

test.each([
  ["1799", false],
  ["0962", false],
  ["1062", false],
  ["2926", false],
  ["2029", false],
  ["1800", true],
  ["1962", true],
  ["2028", true],
  ["19", true],
  ["", true],
])("the year %j is asked about if it is unusual", (year, usual) => {
  expect(isUsualYear(year, new Date(2026, 10, 26))).toBe(usual);
});
