import { expect, test } from "vitest";
import { byDay, dayName, type Notice, placeOf } from "./notice.ts";

const notice = (more: Partial<Notice>): Notice => ({
  id: "n",
  kind: "comment",
  memory_id: "m",
  comment_id: null,
  story_id: null,
  media_id: null,
  actor_name: "Gina",
  count: 1,
  created_at: "2026-03-09T12:00:00",
  read_at: null,
  memories: { person_name: "Nonna Rosa" },
  share_links: null,
  media: null,
  ...more,
});

test.each([
  ["a comment", { comment_id: "c" }, "/memory/m#comment-c"],
  ["a comment on a photo", { comment_id: "c", media_id: "p" }, "/memory/m?photo=p#comment-c"],
  ["a held contribution", { kind: "held" }, "/memory/m/waiting"],
  ["photos", { media_id: "p" }, "/memory/m?photo=p"],
  ["a story", { story_id: "s" }, "/memory/m#story-s"],
  ["a memory", { kind: "accepted" }, "/memory/m"],
  ["a link to an album", { memory_id: null, share_links: { album_id: "a" } }, "/groups/a"],
  ["storage", { memory_id: null }, "/dashboard"],
] satisfies [string, Partial<Notice>, string][])("a notice of %s leads to it", (_what, more, place) => {
  expect(placeOf(notice(more))).toBe(place);
});

test("notices are grouped by day in the reader's time zone", () => {
  const all = ["2026-03-09T23:59:00", "2026-03-09T00:01:00", "2026-03-08T23:59:00"].map((created_at) =>
    notice({ created_at }),
  );
  expect(byDay(all).map(({ day, notices }) => [day, notices.length])).toEqual([
    ["2026-03-09", 2],
    ["2026-03-08", 1],
  ]);
  expect(byDay([])).toEqual([]);
});

test("days have names like today and yesterday, also across the end of a month", () => {
  const now = new Date("2026-03-01T08:00:00");
  expect(dayName("2026-03-01", now, "en-GB")).toBe("today");
  expect(dayName("2026-02-28", now, "it-IT")).toBe("ieri");
  expect(dayName("2026-02-27", now, "en-GB")).toBe("Friday 27 February");
});
