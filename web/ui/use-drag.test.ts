import { expect, test } from "vitest";
import { edgeScroll } from "./use-drag.ts";

test("dragging scrolls the page near the window's edges only, faster the nearer", () => {
  expect(edgeScroll(400, 800)).toBe(0);
  expect(edgeScroll(0, 800)).toBe(-22);
  expect(edgeScroll(-300, 800)).toBe(-22);
  expect(edgeScroll(48, 800)).toBe(-11);
  expect(edgeScroll(752, 800)).toBe(11);
  expect(edgeScroll(800, 800)).toBe(22);
});
