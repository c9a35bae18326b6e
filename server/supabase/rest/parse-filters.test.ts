import { describe, expect, test } from "vitest";
import { looksLikeTest, parseGroup, parseTest } from "./parse-filters.ts";

const field = { name: "a", path: [] };
const tested = (more: object) => ({ kind: "test", field, negated: false, ...more });

describe("a column's parameter", () => {
  test.each<[string, object]>([
    ["eq.5", { operator: "eq", value: "5" }],
    ["eq.", { operator: "eq", value: "" }],
    ['eq."quoted",)(', { operator: "eq", value: '"quoted",)(' }],
    ["not.like.A*", { operator: "like", negated: true, value: "A*" }],
    ["like(any).{A*,B*}", { operator: "like", quantifier: "any", value: "{A*,B*}" }],
    ["gte(all).{1,2}", { operator: "gte", quantifier: "all", value: "{1,2}" }],
    ["is.NULL", { operator: "is", value: "null" }],
    ["is.not_null", { operator: "is", value: "not_null" }],
    ["isdistinct.x", { operator: "isdistinct", value: "x" }],
    ["in.(1,2)", { operator: "in", value: "", values: ["1", "2"] }],
    ["in.( 1,2)", { operator: "in", value: "", values: ["1", "2"] }],
    ["in.()", { operator: "in", value: "", values: [] }],
    ['in.("a,b","c)",d e,"f\\"g")', { operator: "in", value: "", values: ["a,b", "c)", "d e", 'f"g'] }],
    ["wfts(english).the cat", { operator: "wfts", config: "english", value: "the cat" }],
    ["cs.{1,2}", { operator: "cs", value: "{1,2}" }],
  ])("%s", (text, read) => {
    expect(parseTest(field, text)).toEqual(tested(read));
  });

  test.each([
    "",
    "5",
    "equals.5",
    "eq",
    "not.5",
    "is.5",
    "in.5",
    "in.(1",
    "in.(1)x",
    "fts().a",
    "fts(a-b).c",
    'in.("a"b)',
    "is(any).null",
  ])("refuses %s", (text) => {
    expect(() => parseTest(field, text)).toThrow(expect.objectContaining({ status: 400, code: "PGRST100" }));
  });

  test.each(["constructor.x", "toString.x", "__proto__.x"])("refuses the inherited operator %s", (text) => {
    expect(() => parseTest(field, text)).toThrow(expect.objectContaining({ code: "PGRST100" }));
    expect(looksLikeTest(text)).toBe(false);
  });
});

describe("and, or", () => {
  test("nest, and end values at commas and brackets", () => {
    const text = '(a.eq.1,not.or(a.in.(2,"3,4"),and(a.is.null,a.neq."x,y)")),a.cs.{5,"6)"})';
    expect(parseGroup("or", false, text)).toEqual({
      kind: "or",
      negated: false,
      parts: [
        tested({ operator: "eq", value: "1" }),
        {
          kind: "or",
          negated: true,
          parts: [
            tested({ operator: "in", value: "", values: ["2", "3,4"] }),
            {
              kind: "and",
              negated: false,
              parts: [tested({ operator: "is", value: "null" }), tested({ operator: "neq", value: "x,y)" })],
            },
          ],
        },
        tested({ operator: "cs", value: '{5,"6)"}' }),
      ],
    });
  });

  test("a column may be called and", () => {
    expect(parseGroup("and", false, "(and.eq.1)").parts).toMatchObject([{ kind: "test", field: { name: "and" } }]);
  });

  test.each(["", "a.eq.1", "(a.eq.1", "()", "(a)", "(a.eq.1)b", "(a.eq.1,)"])("refuses %s", (text) => {
    expect(() => parseGroup("and", false, text)).toThrow(expect.objectContaining({ code: "PGRST100" }));
  });

  test("refuses more levels than a request may have", () => {
    expect(() => parseGroup("and", false, `${"(and".repeat(50)}(a.eq.1)${")".repeat(50)}`)).toThrow("Too many levels");
  });
});
