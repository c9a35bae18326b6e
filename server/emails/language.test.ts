import { expect, test } from "vitest";
import { languageOf } from "./language.ts";

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
