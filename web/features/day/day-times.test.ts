import { expect, test } from "vitest";
import { type DayPart, inOrder, nextLook } from "../../data/day.queries.ts";
import { dayText, isElsewhere, isPast, momentText } from "./day-times.ts";

const rome = { begins_at: "2026-05-09T12:00:00+00:00", starts_at: "14:00:00", time_zone: "Europe/Rome" } as DayPart;

test("a day has passed twelve hours after its last part", () => {
  const parts = [{ finishes_at: "2026-05-09T15:00:00Z" }, { finishes_at: "2026-05-09T20:00:00Z" }];
  expect(isPast(parts, Date.parse("2026-05-10T07:59:00Z"))).toBe(false);
  expect(isPast(parts, Date.parse("2026-05-10T08:01:00Z"))).toBe(true);
});

test("days and moments are those of the place", () => {
  expect(dayText("2026-05-09", "en")).toMatch(/^Saturday,? 9 May 2026$/);
  expect(dayText("2026-05-09", "it")).toBe("sabato 9 maggio 2026");
  expect(momentText(rome.begins_at, "Europe/Rome", "en")).toMatch(/9 May.*14:00/);
});

test("a reader elsewhere is told their own time, and one in another zone of the same time is not", () => {
  expect(isElsewhere(rome, "Europe/London")).toBe(true);
  expect(isElsewhere(rome, "Europe/Paris")).toBe(false);
  expect(isElsewhere({ ...rome, starts_at: null }, "Europe/London")).toBe(false);
});

test("a livestream is looked for when its time comes, and again until it is there", () => {
  const now = Date.parse("2026-05-09T12:00:00Z");
  const part = { id: "a", stream_from: "2026-05-09T12:10:00Z" };
  expect(nextLook([{ id: "a", stream_from: null }], [], now)).toBe(false);
  expect(nextLook([part], [], now)).toBe(601_000);
  expect(nextLook([part], [], now + 600_000)).toBe(30_000);
  expect(nextLook([part], [{ entry_id: "a" }], now + 600_000)).toBe(false);
  expect(nextLook([{ id: "a", stream_from: "2027-05-09T12:10:00Z" }], [], now)).toBe(6 * 3600_000);
});

test("parts are in order of their days and moments, those without a time last", () => {
  const part = (on_date: string, starts_at: string | null, begins_at: string) =>
    ({ on_date, starts_at, begins_at }) as DayPart;
  const [untimed, later, earlier, before] = [
    part("2026-05-09", null, "2026-05-08T22:00:00Z"),
    part("2026-05-09", "16:00:00", "2026-05-09T14:00:00Z"),
    part("2026-05-09", "14:00:00", "2026-05-09T12:00:00Z"),
    part("2026-05-08", "20:00:00", "2026-05-08T18:00:00Z"),
  ];
  expect([untimed, later, earlier, before].sort(inOrder)).toEqual([before, earlier, later, untimed]);
});
