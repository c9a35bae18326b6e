import { expect, test } from "vitest";
import { dayPart } from "./day-part.ts";

test.each([
  [0, "evening"],
  [4, "evening"],
  [5, "morning"],
  [11, "morning"],
  [12, "afternoon"],
  [17, "afternoon"],
  [18, "evening"],
  [23, "evening"],
])("at %i o'clock it is %s", (hour, part) => {
  expect(dayPart(hour)).toBe(part);
});
