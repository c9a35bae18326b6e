import { expect, test } from "vitest";
import type { Comment } from "./comment.ts";
import { type CommentRow, creditChange, type ReactionRow } from "./signatures.ts";
import { countOf, type Page, reactionsOf, threadsOf, withChanges, withoutDeleted } from "./threads.ts";

const of = { memoryId: "m", mediaId: null };
const comment = (id: string, minute: number, more: Partial<Comment> = {}): CommentRow => ({
  id,
  memory_id: "m",
  media_id: null,
  parent_id: null,
  user_id: "ada",
  guest_id: null,
  body: id,
  mentions: [],
  moderation: "shown",
  created_at: `2026-05-01T10:${String(minute).padStart(2, "0")}:00+00:00`,
  edited_at: null,
  deleted_at: null,
  revision: 1,
  ...more,
});
const heart = (id: string, comment_id: string): ReactionRow => ({
  id,
  memory_id: "m",
  media_id: null,
  comment_id,
  user_id: "bob",
  guest_id: null,
  kind: "heart",
  created_at: "2026-05-01T10:00:00+00:00",
});
const page = (...comments: CommentRow[]): Page => ({ comments, reactions: [], credits: {}, next: undefined });
const shape = (pages: readonly Page[]) =>
  threadsOf(pages).map(({ head, answers }) => [head.id, ...answers.map(({ id }) => id)]);

const first = comment("first", 1);
const second = comment("second", 2);
const early = comment("early", 3, { parent_id: "first" });
const late = comment("late", 4, { parent_id: "first" });

test("the newest thread comes first, and its answers in the order of writing", () => {
  expect(shape([page(late, second), page(first, early, second)])).toEqual([["second"], ["first", "early", "late"]]);
});

test("a repeated event adds a comment only once", () => {
  const changeOf = (row: object, event: "INSERT" | "UPDATE" = "INSERT") => ({
    event,
    table: "comments",
    row: { ...row },
  });
  const pages = withChanges([page(first)], of, [
    changeOf(second),
    changeOf(early),
    changeOf(second),
    changeOf({ ...first, body: "!" }, "UPDATE"),
  ]);
  expect(shape(pages)).toEqual([["second"], ["first", "early"]]);
  expect(threadsOf(pages)[1]?.head.body).toBe("!");
  const elsewhere = [
    changeOf(comment("x", 9, { media_id: "photo" })),
    changeOf(comment("y", 9, { memory_id: "other" })),
  ];
  expect(withChanges(pages, of, elsewhere)).toBe(pages);
  expect(shape(withChanges(pages, of, [{ event: "DELETE", table: "comments", row: { id: "second" } }]))).toEqual([
    ["first", "early"],
  ]);
});

test("a reaction event adds the reaction to its comment, and removes it", () => {
  const change = { event: "INSERT" as const, table: "reactions", row: { ...heart("h", "first") } };
  const pages = withChanges([page(first)], of, [change, change, { ...change, row: { ...heart("o", "unknown") } }]);
  expect(pages[0]?.reactions.map(({ id }) => id)).toEqual(["h"]);
  expect(withChanges(pages, of, [{ event: "DELETE", table: "reactions", row: { id: "h" } }])[0]?.reactions).toEqual([]);
});

test("a name may arrive before its comment, after it, or never", () => {
  const changeOf = (row: object, table = "comments") => ({ event: "INSERT" as const, table, row: { ...row } });
  const names = [
    creditChange("comment_credits", "second", { name: "Ada", words: "Dear @Bob" }),
    creditChange("reaction_credits", "h", { name: "Bob" }),
  ];
  const rows = [
    changeOf(second),
    changeOf(heart("h", "second"), "reactions"),
    changeOf(heart("i", "second"), "reactions"),
  ];
  for (const order of [
    [...names, ...rows],
    [...rows, ...names],
  ]) {
    const pages = withChanges([page(first)], of, order);
    expect(threadsOf(pages).map(({ head }) => [head.author_name, head.body])).toEqual([
      ["Ada", "Dear @Bob"],
      ["", "first"],
    ]);
    expect(reactionsOf(pages).map(({ name }) => name)).toEqual(["Bob", ""]);
  }
  const gone = { event: "DELETE" as const, table: "comment_credits", row: { comment_id: "second" } };
  expect(threadsOf(withChanges([page(second)], of, [...names, gone])).map(({ head }) => head.author_name)).toEqual([
    "",
  ]);
});

test("a deleted comment keeps its position only if it has answers", () => {
  const threads = threadsOf([page(first, early, second)]);
  const remaining = withoutDeleted(threads, (id) => id === "first" || id === "second");
  expect(remaining.map(({ head, answers }) => [head.body, answers.length])).toEqual([["", 1]]);
  expect(countOf(remaining)).toBe(1);
  expect(withoutDeleted(threads, (id) => id !== "second")).toHaveLength(1);
});
