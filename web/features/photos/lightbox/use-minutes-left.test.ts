import { expect, test } from "vitest";
import { minutesLeft } from "./use-minutes-left.ts";

test.each([
  ["half of it in five minutes", 0, 0.5, 300_000, 5],
  ["a hundredth in a minute", 0.2, 0.21, 60_000, 79],
  ["nearly all of it", 0.1, 0.99, 60_000, 0],
  ["too little", 0.2, 0.204, 60_000, undefined],
  ["no progress at all", 0.2, 0.2, 0, undefined],
  ["a figure that is none", 0, Number.NaN, 60_000, undefined],
] as const)("the minutes left after %s", (_what, from, to, ms, expected) => {
  expect(minutesLeft({ progress: from, at: 0 }, { progress: to, at: ms })).toBe(expected);
});
