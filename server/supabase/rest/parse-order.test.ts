import { expect, test } from "vitest";
import { parseOrder } from "./parse-query.ts";

const by = (name: string, more = {}) => ({ field: { name, path: [] }, descending: false, ...more });

test.each<[string, unknown[]]>([
  ["name", [by("name")]],
  ["name.asc,age.desc", [by("name"), by("age", { descending: true })]],
  ["age.desc.nullslast", [by("age", { descending: true, nulls: "last" })]],
  ["age.nullsfirst", [by("age", { nulls: "first" })]],
  ["author(name).desc", [by("name", { relation: "author", descending: true })]],
])("order by %s", (text, terms) => {
  expect(parseOrder(text)).toEqual(terms);
});

test("order by a value within JSON", () => {
  expect(parseOrder("data->>city")).toEqual([
    { field: { name: "data", path: [{ key: "city", index: false, asText: true }] }, descending: false },
  ]);
});

test.each(["", "name.up", "name.asc.desc", "name,", "a(b", "name;drop"])("refuses %s", (text) => {
  expect(() => parseOrder(text)).toThrow(expect.objectContaining({ status: 400, code: "PGRST100" }));
});
