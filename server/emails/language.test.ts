import { expect, test } from "vitest";
import { dayOf, languageOf, momentOf } from "./language.ts";

test.each([
  ["the language of the account wins", "it", "en-GB,en", "it"],
  ["a regional choice counts as its language", "it-IT", undefined, "it"],
  ["without a choice, the browser's first known one", undefined, "fr-FR, it;q=0.8, en;q=0.5", "it"],
  ["weights decide, not the order", undefined, "en;q=0.3,it;q=0.9", "it"],
  ["a language refused is not taken", undefined, "it;q=0, de", "en"],
  ["an unknown choice is passed over", "de", "it", "it"],
  ["something that is no language is passed over", { it: true }, undefined, "en"],
  ["nonsense means English", undefined, ";;;q=,,=", "en"],
  ["nothing means English", undefined, undefined, "en"],
] as const)("%s", (_rule, chosen, header, expected) => {
  expect(languageOf(chosen, header)).toBe(expected);
});

test.each([
  ["the recipient's zone", "America/New_York", "9 March 2026", "9 March 2026 at 20:05 GMT-4"],
  ["the language's zone without one", undefined, "10 March 2026", "10 March 2026 at 00:05 GMT"],
  ["the language's zone if theirs is unknown", "Mars/Base", "10 March 2026", "10 March 2026 at 00:05 GMT"],
])("a moment is written in %s", (_which, zone, day, moment) => {
  const at = "2026-03-10T00:05:00Z";
  expect([dayOf(at, "en", zone), momentOf(at, "en", zone)]).toEqual([day, moment]);
  expect(momentOf(at, "it")).toMatch(/^10 marzo 2026 .*01:05 CET$/);
});
