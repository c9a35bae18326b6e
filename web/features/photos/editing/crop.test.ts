import { expect, test } from "vitest";
import { type Crop, isEdit, WHOLE } from "../../../../shared/photo-edit.ts";
import { CORNERS, moved, resized, withRatio } from "./crop.ts";

const CROP: Crop = [0.2, 0.2, 0.5, 0.5];

test("a crop is moved as far as it stays inside", () => {
  expect(moved(CROP, 0.1, -0.1)).toEqual([0.3, 0.1, 0.5, 0.5]);
  expect(moved(CROP, 9, -9)).toEqual([0.5, 0, 0.5, 0.5]);
});

test("a corner is moved, and the opposite one stays", () => {
  expect(resized(CROP, [-1, -1], -0.1, 0.1, undefined)).toEqual([0.1, 0.3, 0.6, 0.4]);
  expect(resized(CROP, [1, 1], 9, 9, undefined)).toEqual([0.2, 0.2, 0.8, 0.8]);
  expect(resized(CROP, [1, 1], -9, -9, undefined)).toEqual([0.2, 0.2, 0.05, 0.05]);
});

test("a ratio is kept while a corner moves", () => {
  const [, , width, height] = resized(withRatio(WHOLE, 0.5), [1, 1], -0.2, 0, 0.5);
  expect(width / height).toBeCloseTo(0.5, 2);
});

test("a ratio takes the largest part around the same middle", () => {
  expect(withRatio(WHOLE, 0.75)).toEqual([0.125, 0, 0.75, 1]);
  expect(withRatio(WHOLE, 2)).toEqual([0, 0.25, 1, 0.5]);
  expect(withRatio([0, 0, 0.1, 0.1], 1)).toEqual([0, 0, 1, 1]);
});

test("every movement gives an edit that can be stored", () => {
  const moves = [-3, -0.3333, -0.01, 0, 0.0077, 0.5, 7];
  for (const ratio of [undefined, 0.3, 1, 1.7778]) {
    for (const corner of CORNERS) {
      for (const x of moves) {
        for (const y of moves) {
          const crop = resized(moved(CROP, y, x), corner, x, y, ratio);
          expect([crop, isEdit({ turn: 0, straighten: 0, crop })]).toEqual([crop, true]);
        }
      }
    }
  }
});
