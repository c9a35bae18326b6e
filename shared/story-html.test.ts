import { expect, test } from "vitest";
import { isMediaId, storyLink } from "./story-html.ts";

test.each<[string, string | undefined]>([
  ["https://example.com/a?b=1&c=2#d", "https://example.com/a?b=1&c=2#d"],
  ["  HTTPS://Example.com ", "https://Example.com"],
  ["http://example.com", "https://example.com"],
  ["mailto:ada@example.com?subject=Hello", "mailto:ada@example.com?subject=Hello"],
  ['https://example.com/"<x>', "https://example.com/%22%3Cx%3E"],
  ["https:///example.com", undefined],
  ["mailto:nobody", undefined],
  ["javascript:alert(1)", undefined],
  ["java\nscript:alert(1)", undefined],
  [" data:text/html,x", undefined],
  ["//example.com", undefined],
  ["/memory/1", undefined],
  ["https://exa mple.com", undefined],
  ["https://example.com/\u0001", undefined],
  ["", undefined],
])("%j leads to %s", (address, expected) => {
  expect(storyLink(address)).toBe(expected);
  if (expected) expect(storyLink(expected)).toBe(expected);
});

test("only a UUID in small letters is the id of a photo", () => {
  expect(isMediaId("a0000000-0000-4000-8000-000000000001")).toBe(true);
  for (const other of ["", "x", "A0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-000000000001 "]) {
    expect(isMediaId(other)).toBe(false);
  }
});
