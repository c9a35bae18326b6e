import { expect, test } from "vitest";
import { dueAt, type Owing } from "./due.ts";

const owing: Owing = {
  kind: "comment",
  cadence: "instantly",
  since: new Date("2026-03-09T12:00:00Z"),
  until: new Date("2026-03-09T12:00:00Z"),
  zone: "Europe/Rome",
  mailedAt: null,
};
const due = (more: Partial<Owing>) => dueAt({ ...owing, ...more })?.toISOString();

test("a word is mailed at once, and the next ones a quarter of an hour after", () => {
  expect(due({})).toBe("2026-03-09T12:00:00.000Z");
  expect(due({ mailedAt: new Date("2026-03-09T11:55:00Z") })).toBe("2026-03-09T12:10:00.000Z");
  expect(due({ mailedAt: new Date("2026-03-09T09:00:00Z") })).toBe("2026-03-09T12:00:00.000Z");
});

test("photos are mailed once they have all come, and after a quarter of an hour whatever else comes", () => {
  const kind = "added";
  expect(due({ kind, until: new Date("2026-03-09T12:03:00Z") })).toBe("2026-03-09T12:05:00.000Z");
  expect(due({ kind, until: new Date("2026-03-09T13:00:00Z") })).toBe("2026-03-09T12:15:00.000Z");
});

test("what is gathered comes in the reader's morning, or on their Monday", () => {
  expect(due({ cadence: "daily" })).toBe("2026-03-10T07:00:00.000Z");
  expect(due({ cadence: "weekly" })).toBe("2026-03-16T07:00:00.000Z");
  expect(due({ cadence: "daily", zone: "America/Los_Angeles" })).toBe("2026-03-09T15:00:00.000Z");
});

test.each(["storage-90", "birthday"])("%s does not wait for the morning", (kind) => {
  expect(due({ kind, cadence: "weekly" })).toBe("2026-03-09T12:00:00.000Z");
});

test("a lock is mailed once no right PIN has taken it back", () => {
  expect(due({ kind: "locked", cadence: "daily" })).toBe("2026-03-09T12:01:00.000Z");
});

test.each(["comment", "locked", "birthday"])("anyone who wants no mail gets none about %s", (kind) => {
  expect(due({ kind, cadence: "never" })).toBeUndefined();
});
