import { expect, test } from "vitest";
import { writtenStory } from "./written-story.ts";

test.each([
  ["<p></p>", ""],
  ["<p></p><p></p><p>She sang.</p><p></p><p>Always.</p><p></p>", "<p>She sang.</p><p></p><p>Always.</p>"],
  ["<p>She sang.</p>", "<p>She sang.</p>"],
])("%s is stored as %j", (html, stored) => {
  expect(writtenStory(html)).toBe(stored);
});
