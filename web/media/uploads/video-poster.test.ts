import { describe, expect, test } from "vitest";
import { brightness, posterTimes } from "./video-poster.ts";

describe("a poster", () => {
  test("is taken after one second, or later if that frame is too dark", () => {
    expect(posterTimes(60)).toEqual([1, 15, 30]);
  });

  test("of a short video is near its beginning", () => {
    expect(posterTimes(2)).toEqual([0.2, 0.5, 1]);
  });

  test("of a recording of unknown length is its beginning", () => {
    expect(posterTimes(Number.POSITIVE_INFINITY)).toEqual([0.1]);
  });
});

test.each([
  ["black", [0, 0, 0, 255], 0],
  ["white", [255, 255, 255, 255], 255],
  ["half of each", [0, 0, 0, 255, 255, 255, 255, 255], 127.5],
  ["nothing", [], 0],
])("%s has its brightness", (_name, pixels, expected) => {
  expect(brightness(new Uint8ClampedArray(pixels))).toBeCloseTo(expected);
});
