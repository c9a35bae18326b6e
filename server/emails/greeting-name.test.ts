import { expect, test } from "vitest";
import { greetingName } from "./language.ts";

test.each(["Ada Rossi", "Niccolò D’Angelo", "Mary-Jane O'Neill", "Dr. J. R. Ewing", "李 小龍", "मीरा शर्मा"])(
  "%s is greeted by name",
  (name) => {
    expect(greetingName(name)).toBe(name);
  },
);

test("spaces around and between are tidied", () => {
  expect(greetingName("  Ada \n Rossi ")).toBe("Ada Rossi");
});

test.each([
  "Visit http://example.com",
  "example.com",
  "Win 500 euros",
  "You have won a prize so please call us now",
  "Ada <b>Rossi</b>",
  "Ada\u0007",
  "a".repeat(61),
  "",
  null,
  42,
])("%j is not used as a name", (name) => {
  expect(greetingName(name)).toBe("");
});
