import { expect, test } from "vitest";
import { namesText } from "./names-text.ts";

test.each([
  [["Ada"], "Ada"],
  [["Ada", "Bob"], "Ada and Bob"],
  [["Ada", "Bob", "Eve", "Kim"], "Ada, Bob, Eve and Kim"],
  [["Ada", "Bob", "Eve", "Kim", "Lea"], "Ada, Bob, Eve and 2 others"],
  [["", "Bob", ""], "Bob and 2 others"],
  [["Ada", "Bob", "Eve", "Kim", ""], "Ada, Bob, Eve and 2 others"],
  [["", ""], "2 people"],
])("%j are %s", (names, text) => {
  const counted = { others: (count: number) => `${count} others`, people: (count: number) => `${count} people` };
  expect(namesText(names, "en-GB", counted)).toBe(text);
});
