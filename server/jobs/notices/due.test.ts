import { expect, test } from "vitest";
import { dueAt, type UnsentNotices } from "./due.ts";

const unsent: UnsentNotices = {
  kind: "comment",
  cadence: "instantly",
  since: new Date("2026-03-09T12:00:00Z"),
  until: new Date("2026-03-09T12:00:00Z"),
  zone: "Europe/Rome",
  mailedAt: null,
};
const due = (more: Partial<UnsentNotices>) => dueAt({ ...unsent, ...more })?.toISOString();

test("the first comment is mailed at once, and the next ones a quarter of an hour later", () => {
  expect(due({})).toBe("2026-03-09T12:00:00.000Z");
  expect(due({ mailedAt: new Date("2026-03-09T11:55:00Z") })).toBe("2026-03-09T12:10:00.000Z");
  expect(due({ mailedAt: new Date("2026-03-09T09:00:00Z") })).toBe("2026-03-09T12:00:00.000Z");
});

test("photos are mailed when their uploads pause, and after a quarter of an hour at the latest", () => {
  const kind = "added";
  expect(due({ kind, until: new Date("2026-03-09T12:03:00Z") })).toBe("2026-03-09T12:05:00.000Z");
  expect(due({ kind, until: new Date("2026-03-09T13:00:00Z") })).toBe("2026-03-09T12:15:00.000Z");
});

test("a digest is due in the reader's morning, or on their Monday morning", () => {
  expect(due({ cadence: "daily" })).toBe("2026-03-10T07:00:00.000Z");
  expect(due({ cadence: "weekly" })).toBe("2026-03-16T07:00:00.000Z");
  expect(due({ cadence: "daily", zone: "America/Los_Angeles" })).toBe("2026-03-09T15:00:00.000Z");
});

test.each(["storage-90", "birthday"])("%s does not wait for the morning", (kind) => {
  expect(due({ kind, cadence: "weekly" })).toBe("2026-03-09T12:00:00.000Z");
});

test("a locked link is mailed a minute later, even to readers of a digest", () => {
  expect(due({ kind: "locked", cadence: "daily" })).toBe("2026-03-09T12:01:00.000Z");
});

test.each(["comment", "locked", "birthday"])("a person who wants no emails gets none about %s", (kind) => {
  expect(due({ kind, cadence: "never" })).toBeUndefined();
});
