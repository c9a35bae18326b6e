import { expect, test } from "vitest";
import type { Comment, Reaction } from "./comment.ts";
import { countOf, type Page, threadsOf, withChanges, withoutDeleted } from "./threads.ts";

const of = { memoryId: "m", mediaId: null };
const comment = (id: string, minute: number, more: Partial<Comment> = {}): Comment => ({
  id,
  memory_id: "m",
  media_id: null,
  parent_id: null,
  user_id: "ada",
  guest_id: null,
  author_name: "Ada",
  body: id,
  mentions: [],
  moderation: "shown",
  created_at: `2026-05-01T10:${String(minute).padStart(2, "0")}:00+00:00`,
  edited_at: null,
  deleted_at: null,
  ...more,
});
const heart = (id: string, comment_id: string): Reaction => ({
  id,
  memory_id: "m",
  media_id: null,
  comment_id,
  user_id: "bob",
  guest_id: null,
  name: "Bob",
  kind: "heart",
  created_at: "2026-05-01T10:00:00+00:00",
});
const page = (...comments: Comment[]): Page => ({ comments, reactions: [], next: undefined });
const shape = (pages: readonly Page[]) =>
  threadsOf(pages).map(({ head, answers }) => [head.id, ...answers.map(({ id }) => id)]);

const first = comment("first", 1);
const second = comment("second", 2);
const early = comment("early", 3, { parent_id: "first" });
const late = comment("late", 4, { parent_id: "first" });

test("the newest thread comes first, and its answers as they were said", () => {
  expect(shape([page(late, second), page(first, early, second)])).toEqual([["second"], ["first", "early", "late"]]);
});

test("what is told takes its place once, however often it is told", () => {
  const told = (row: object, event: "INSERT" | "UPDATE" = "INSERT") => ({ event, table: "comments", row: { ...row } });
  const pages = withChanges([page(first)], of, [
    told(second),
    told(early),
    told(second),
    told({ ...first, body: "!" }, "UPDATE"),
  ]);
  expect(shape(pages)).toEqual([["second"], ["first", "early"]]);
  expect(threadsOf(pages)[1]?.head.body).toBe("!");
  const elsewhere = [told(comment("x", 9, { media_id: "photo" })), told(comment("y", 9, { memory_id: "other" }))];
  expect(withChanges(pages, of, elsewhere)).toBe(pages);
  expect(shape(withChanges(pages, of, [{ event: "DELETE", table: "comments", row: { id: "second" } }]))).toEqual([
    ["first", "early"],
  ]);
});

test("a sign is told to the comment it was given to, and taken from it", () => {
  const given = { event: "INSERT" as const, table: "reactions", row: { ...heart("h", "first") } };
  const pages = withChanges([page(first)], of, [given, given, { ...given, row: { ...heart("o", "unknown") } }]);
  expect(pages[0]?.reactions.map(({ id }) => id)).toEqual(["h"]);
  expect(withChanges(pages, of, [{ event: "DELETE", table: "reactions", row: { id: "h" } }])[0]?.reactions).toEqual([]);
});

test("what was deleted leaves its place only to its answers", () => {
  const threads = threadsOf([page(first, early, second)]);
  const left = withoutDeleted(threads, (id) => id === "first" || id === "second");
  expect(left.map(({ head, answers }) => [head.body, answers.length])).toEqual([["", 1]]);
  expect(countOf(left)).toBe(1);
  expect(withoutDeleted(threads, (id) => id !== "second")).toHaveLength(1);
});
