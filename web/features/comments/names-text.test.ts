import { expect, test } from "vitest";
import { namesText } from "./names-text.ts";

test.each([
  [["Ada"], "Ada"],
  [["Ada", "Bob"], "Ada and Bob"],
  [["Ada", "Bob", "Eve", "Kim"], "Ada, Bob, Eve and Kim"],
  [["Ada", "Bob", "Eve", "Kim", "Lea"], "Ada, Bob, Eve and 2 others"],
])("%j are %s", (names, text) => {
  expect(namesText(names, "en-GB", (count) => `${count} others`)).toBe(text);
});
