import { expect, test } from "vitest";
import { relativeTime } from "./relative-time.ts";

const now = new Date("2026-05-20T12:00:00Z");

test.each([
  ["2026-05-20T11:59:40Z", "now", "ora"],
  ["2026-05-20T12:00:30Z", "now", "ora"],
  ["2026-05-20T11:55:00Z", "5 minutes ago", "5 minuti fa"],
  ["2026-05-20T09:30:00Z", "2 hours ago", "2 ore fa"],
  ["2026-05-19T11:00:00Z", "yesterday", "ieri"],
  ["2026-05-10T12:00:00Z", "10 May 2026", "10 maggio 2026"],
])("what was said at %s was said %s", (at, english, italian) => {
  expect(relativeTime(new Date(at), now, "en-GB")).toBe(english);
  expect(relativeTime(new Date(at), now, "it")).toBe(italian);
});
