import { expect, test } from "vitest";
import { typedLink } from "./LinkWindow.tsx";

test.each<[string, string | undefined]>([
  ["example.com", "https://example.com"],
  [" www.example.com/a?b=c ", "https://www.example.com/a?b=c"],
  ["example.com:8080/x", "https://example.com:8080/x"],
  ["http://example.com", "https://example.com"],
  ["https://example.com/päge", "https://example.com/päge"],
  ["ada@example.com", "mailto:ada@example.com"],
  ["mailto:ada@example.com", "mailto:ada@example.com"],
  ["hello", undefined],
  ["hello there.com", undefined],
  ["javascript:alert(1)", undefined],
  ["javascript:x.com", undefined],
  ["", undefined],
])("%j becomes %s", (typed, link) => {
  expect(typedLink(typed)).toBe(link);
});
