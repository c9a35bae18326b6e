import { expect, test } from "vitest";
import { writtenDuration } from "./duration.ts";

test.each([
  [0, "0:00"],
  [7.4, "0:07"],
  [59.6, "1:00"],
  [723, "12:03"],
  [3723, "1:02:03"],
])("%s seconds are written %s", (seconds, expected) => {
  expect(writtenDuration(seconds)).toBe(expected);
});
