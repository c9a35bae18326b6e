import { expect, test } from "vitest";
import { cloudsOf, hillsOf, lightOf, moonPath, starsOf } from "./sky-scene.ts";

test("the same seed has the same stars, clouds and hills, another seed others", () => {
  for (const scene of [(seed: string) => starsOf(seed, 20), (seed: string) => cloudsOf(seed, 4)]) {
    expect(scene("ada")).toEqual(scene("ada"));
    expect(scene("ada")).not.toEqual(scene("bob"));
  }
  expect(hillsOf("ada", 200, 40)).toBe(hillsOf("ada", 200, 40));
  expect(hillsOf("ada", 200, 40)).not.toBe(hillsOf("bob", 200, 40));
});

test("a sky with a few stars has only a few, above the hills", () => {
  const stars = starsOf("rosa", 7);
  expect(stars).toHaveLength(7);
  expect(stars.every((star) => star.x >= 0 && star.x <= 100 && star.y >= 0 && star.y <= 66)).toBe(true);
});

test("the sun stands highest at noon and low on the right in the evening, always clear of headings at the lower left", () => {
  const noon = lightOf(new Date(2026, 2, 21, 12, 30));
  const evening = lightOf(new Date(2026, 2, 21, 18, 15));
  expect(noon).toMatchObject({ kind: "sun" });
  expect(evening.kind).toBe("sun");
  expect(evening.y).toBeGreaterThan(noon.y + 10);
  expect(evening.x).toBeGreaterThan(noon.x);
  const hours = Array.from({ length: 48 }, (_, half) => lightOf(new Date(2026, 5, 21, 0, half * 30)));
  expect(hours.filter(({ x, y }) => x < 58 || x > 92 || y > 40)).toEqual([]);
});

test("the moon has the phase of the date", () => {
  const full = lightOf(new Date(Date.UTC(2026, 0, 3, 10, 3)));
  expect(full.phase).toBeCloseTo(0.5, 1);
  const fresh = lightOf(new Date(Date.UTC(2026, 7, 12, 17, 37)));
  expect(Math.min(fresh.phase, 1 - fresh.phase)).toBeCloseTo(0, 1);
});

test("the moon's lit side is on the right while it grows and on the left while it wanes", () => {
  expect(moonPath(0.25)).toMatch(/^M0 -1A1 1 0 0 1 0 1/);
  expect(moonPath(0.75)).toMatch(/^M0 -1A1 1 0 0 0 0 1/);
});
