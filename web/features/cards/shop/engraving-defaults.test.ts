import { expect, test } from "vitest";
import type { CardMemory } from "../use-card-memories.ts";
import { wordsOf } from "./engraving-defaults.ts";

const memory = (more: Partial<CardMemory>): CardMemory => ({
  id: "1",
  kind: "tribute",
  person_name: "Rosa Bianchi",
  birth_date: null,
  passing_date: null,
  event_date: null,
  share_id: "x",
  created_at: "2026-01-01T00:00:00Z",
  ...more,
});

test.each([
  [memory({ birth_date: "1931-03-12", passing_date: "2024-01-01" }), "1931 – 2024"],
  [memory({ birth_date: "1931-03-12" }), "1931"],
  [memory({ birth_date: "1931~", passing_date: "2024-05" }), "c. 1931 – 2024"],
  [memory({ birth_date: "193X" }), "the 1930s"],
  [memory({}), ""],
  [memory({ kind: "event", event_date: "2024-05-04" }), "4 May 2024"],
  [memory({ kind: "event", event_date: "1962-22" }), "Summer 1962"],
  [memory({ kind: "event" }), ""],
])("the dates to be engraved are a life's years, or an event's day", (of, dates) => {
  expect(wordsOf(of, "en-GB")).toEqual({ name: "Rosa Bianchi", dates });
});

test("a name that is too long for a card is shortened", () => {
  expect(wordsOf(memory({ person_name: "x".repeat(60) }), "en-GB").name).toHaveLength(48);
});
