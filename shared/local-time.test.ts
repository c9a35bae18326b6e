import { expect, test } from "vitest";
import { localTimeAt, placeOf } from "./local-time.ts";

test.each([
  ["+45.4642+009.1900+122.000/", "2023-12-30T19:47:00Z", "2023-12-30T20:47:00+01:00"],
  ["+45.4642+009.1900/", "2023-07-30T19:47:00Z", "2023-07-30T21:47:00+02:00"],
  ["+37.7749-122.4194/", "2023-12-31T04:47:00Z", "2023-12-30T20:47:00-08:00"],
  ["+27.7172+085.3240/", "2023-12-30T20:00:00Z", "2023-12-31T01:45:00+05:45"],
  ["+51.5074-000.1278/", "2023-12-30T20:47:00Z", "2023-12-30T20:47:00+00:00"],
  ["+00.0000+000.0000/", "2023-12-30T20:47:00Z", undefined],
  ["+95.0000+200.0000/", "2023-12-30T20:47:00Z", undefined],
  ["+45.4642+009.1900/", "not a time", undefined],
])("at %s, %s is %s", (place, instant, local) => {
  expect(localTimeAt(new Date(instant), placeOf(place) ?? { latitude: 0, longitude: 0 })).toBe(local);
});

test("text that is no place has none", () => {
  expect(placeOf("Milano")).toBeUndefined();
  expect(placeOf(undefined)).toBeUndefined();
});
