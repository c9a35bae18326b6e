import { expect, test } from "vitest";
import { cell, csvText } from "./csv.ts";

test.each([
  ["=1+1", `"'=1+1"`],
  ["+44", `"'+44"`],
  ["-1", `"'-1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1", `"'\t=1"`],
  ['say "yes"', `"say ""yes"""`],
  ["12.34", `"12.34"`],
])("%j becomes a cell that is not a formula", (value, expected) => {
  expect(cell(value)).toBe(expected);
});

test("a file begins with a byte order mark, and each row is one line", () => {
  expect(csvText(["Name", "+x"], [["Zoë, Ada", "=1"]])).toBe('\ufeff"Name","\'+x"\r\n"Zoë, Ada","\'=1"\r\n');
});
