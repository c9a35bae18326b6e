import { expect, test } from "vitest";
import { shortened } from "./excerpt.ts";

test("Spec §9: an excerpt has 200 characters and an ellipsis", () => {
  expect(shortened("a".repeat(300))).toBe(`${"a".repeat(200)}…`);
  expect(shortened("a".repeat(200))).toBe("a".repeat(200));
  expect(shortened("")).toBe("");
});

test("no sign is halved, and no blank stands before the ellipsis", () => {
  expect(shortened(`${"a".repeat(199)}🌌🌌`)).toBe(`${"a".repeat(199)}🌌…`);
  expect(shortened(`${"a".repeat(199)} bcd`)).toBe(`${"a".repeat(199)}…`);
});
