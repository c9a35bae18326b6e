import { expect, test } from "vitest";
import { timeAgo } from "./time-ago.ts";

const now = new Date(2026, 10, 20, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [0, "this minute", "questo minuto"],
  [5 * MINUTE, "5 minutes ago", "5 minuti fa"],
  [3 * HOUR + 59 * MINUTE, "3 hours ago", "3 ore fa"],
  [30 * HOUR, "yesterday", "ieri"],
  // Late on the day before yesterday.
  [37 * HOUR, "2 days ago", "l’altro ieri"],
  [6 * 24 * HOUR, "6 days ago", "6 giorni fa"],
  [7 * 24 * HOUR, "13 November 2026", "13 novembre 2026"],
  // A clock that is a little behind the server's.
  [-2 * MINUTE, "this minute", "questo minuto"],
])("%i ms ago is %s, in Italian %s", (ms, english, italian) => {
  const at = new Date(now.getTime() - ms);
  expect(timeAgo(at, now, "en-GB")).toBe(english);
  expect(timeAgo(at, now, "it")).toBe(italian);
});
