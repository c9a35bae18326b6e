import { expect, test } from "vitest";
import { FilterError, parseFilter } from "./parse-filter.ts";

test.each([
  ["id=eq.7", [{ column: "id", operator: "eq", values: ["7"] }]],
  ["name=neq.a=b.c", [{ column: "name", operator: "neq", values: ["a=b.c"] }]],
  ["id=in.(1,2)", [{ column: "id", operator: "in", values: ["1", "2"] }]],
  ['name=in.("a,b","c\\"d")', [{ column: "name", operator: "in", values: ["a,b", 'c"d'] }]],
  ['name=eq."a, b"', [{ column: "name", operator: "eq", values: ["a, b"] }]],
  [
    "size=gte.10,size=lt.20",
    [
      { column: "size", operator: "gte", values: ["10"] },
      { column: "size", operator: "lt", values: ["20"] },
    ],
  ],
])("%s is understood", (filter, conditions) => expect(parseFilter(filter)).toEqual(conditions));

test.each([
  "",
  "id",
  "id=7",
  "=eq.7",
  "id=like.a%",
  "id=not.eq.7",
  "id=in.1,2",
  'id=eq."7',
  "id=in.(1,2",
  `id=in.(${Array(101).fill(1)})`,
])("%j is refused with a message", (filter) => expect(() => parseFilter(filter)).toThrow(FilterError));
