import { expect, test } from "vitest";
import { withoutCircles } from "./import-people.ts";

const person = (id: string, merged_into: string | null) => ({
  id,
  name: id,
  other_names: [],
  born_year: null,
  died_year: null,
  merged_into,
  created_at: "2026-01-01T00:00:00Z",
  own_memory_id: null,
});

test("merges of an imported account stay, except for circles and those into people who are not in it", () => {
  const people = [
    person("a", "b"),
    person("b", null),
    person("c", "d"),
    person("d", "c"),
    person("e", "gone"),
    person("f", "f"),
    person("g", "c"),
  ];
  expect(withoutCircles(people).map(({ merged_into }) => merged_into)).toEqual([
    "b",
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test("a hundred thousand merges in one chain are followed once", () => {
  const count = 100_000;
  const chain = Array.from({ length: count }, (_, n) => person(`${n}`, n + 1 < count ? `${n + 1}` : null));
  expect(withoutCircles(chain)).toEqual(chain);
  const circle = chain.map((one, n) => (n + 1 < count ? one : person(`${n}`, "0")));
  expect(new Set(withoutCircles(circle).map(({ merged_into }) => merged_into))).toEqual(new Set([null]));
});
