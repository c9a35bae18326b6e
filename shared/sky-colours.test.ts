import { expect, test } from "vitest";
import { contrast, over } from "./colour-mix.ts";
import { skyColours, solarHour, textOnSky } from "./sky-colours.ts";

const at = (hour: number, month = 5) => new Date(2026, month, 21, Math.floor(hour), (hour % 1) * 60);
const everyQuarterHour = Array.from({ length: 96 }, (_, i) => i / 4);
const everyMonth = Array.from({ length: 12 }, (_, month) => month);

test("the same moment always has the same sky", () => {
  expect(skyColours(at(18.5))).toEqual(skyColours(at(18.5)));
});

test("the sky is dark at night and bright at noon", () => {
  for (const month of everyMonth) {
    expect(skyColours(at(1, month)).darkness).toBeGreaterThan(0.9);
    expect(skyColours(at(12.5, month)).darkness).toBe(0);
  }
});

test("the sky at the end of a day is the sky at the start of the next", () => {
  const late = skyColours(new Date(2026, 5, 21, 23, 59));
  const early = skyColours(new Date(2026, 5, 22, 0, 0));
  for (const [i, band] of late.bands.entries()) expect(contrast(band, early.bands[i] ?? "")).toBeLessThan(1.02);
});

test("summer evenings are long and winter evenings short", () => {
  expect(skyColours(at(17.5, 5)).darkness).toBeLessThan(0.05);
  expect(skyColours(at(17.5, 11)).darkness).toBeGreaterThan(0.3);
});

test("the solar hour runs forward through the whole day of every month", () => {
  for (const month of everyMonth) {
    const hours = everyQuarterHour.map((hour) => solarHour(at(hour, month)));
    expect(hours).toEqual([...hours].sort((a, b) => a - b));
    expect(hours.every((hour) => hour >= 0 && hour < 24)).toBe(true);
  }
});

test("text on the sky is readable at every hour of every month, under a thin veil at most", () => {
  for (const month of everyMonth) {
    for (const hour of everyQuarterHour) {
      const colours = skyColours(at(hour, month));
      const text = textOnSky(colours);
      expect(text.veilOpacity).toBeLessThanOrEqual(0.4);
      for (const band of colours.bands.slice(0, 3)) {
        expect(contrast(text.colour, over(text.veil, band, text.veilOpacity))).toBeGreaterThanOrEqual(4.5);
      }
    }
  }
});
