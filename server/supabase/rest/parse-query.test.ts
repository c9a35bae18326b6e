import { describe, expect, test } from "vitest";
import { type Pair, parseQuery } from "./parse-query.ts";

const parse = (text: string, isArgument?: (name: string) => boolean) =>
  parseQuery([...new URLSearchParams(text)] as Pair[], isArgument);

describe("parameters", () => {
  test("apply to the table, or by a dotted name to an embedded table", () => {
    const { query } = parse(
      "select=id,pics:media(id,author(name))&id=eq.1&order=id&limit=5&offset=10" +
        "&pics.type=eq.image&pics.order=size.desc&pics.limit=2&pics.or=(a.eq.1,b.eq.2)&pics.author.name=eq.Ada",
    );
    expect(query).toMatchObject({ limit: 5, offset: 10, order: [{ field: { name: "id" } }] });
    expect(query.conditions).toMatchObject([{ operator: "eq", value: "1" }]);
    const [, media] = query.items;
    expect(media).toMatchObject({
      query: {
        limit: 2,
        order: [{ descending: true }],
        conditions: [{ field: { name: "type" } }, { kind: "or", negated: false }],
      },
    });
    expect(media).toHaveProperty("query.items.1.query.conditions.0.value", "Ada");
  });

  test("negate a group, and reach into JSON", () => {
    const { query } = parse("not.or=(a.eq.1,b.eq.2)&data->>city=eq.Rome");
    expect(query.conditions).toMatchObject([
      { kind: "or", negated: true },
      { field: { name: "data", path: [{ key: "city", asText: true }] }, value: "Rome" },
    ]);
  });

  test("negate a group of an embedded table before or after its name", () => {
    for (const name of ["not.media.or", "media.not.or"]) {
      const { query } = parse(`select=media(id)&${name}=(a.eq.1,b.eq.2)`);
      expect(query).toHaveProperty("items.0.query.conditions.0.negated", true);
      expect(query.conditions).toEqual([]);
    }
  });

  test("apply once: the first order, columns and keys, and the last limit", () => {
    const { query, columns, onConflict } = parse(
      "order=a&order=b&columns=c&columns=d&on_conflict=e&on_conflict=f&limit=1&limit=2",
    );
    expect(query).toMatchObject({ order: [{ field: { name: "a" } }], limit: 2 });
    expect({ columns, onConflict }).toEqual({ columns: ["c"], onConflict: ["e"] });
    expect(() => parse("order=a&order=b.up")).toThrow(expect.objectContaining({ code: "PGRST100" }));
  });

  test("name columns to write and keys to merge by", () => {
    expect(parse('columns="a","b c"&on_conflict=a,d')).toMatchObject({ columns: ["a", "b c"], onConflict: ["a", "d"] });
  });

  test("are arguments if the function has one of that name, or if they are not a filter", () => {
    const { args, query } = parse("author=eq.5&limit=1&title=like.A*&typo=5", (name) => name === "author");
    expect(args).toEqual([
      ["author", "eq.5"],
      ["typo", "5"],
    ]);
    expect(query).toMatchObject({ limit: 1, conditions: [{ field: { name: "title" } }] });
  });

  test("refuse an embedded name that the request does not embed", () => {
    expect(() => parse("media.type=eq.image")).toThrow(expect.objectContaining({ status: 400, code: "PGRST108" }));
  });

  test.each(["limit=-x", "limit=1;drop", "offset=1e3", "id=1", "=eq.1", "a.=eq.1"])("refuse %s", (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ status: 400, code: "PGRST100" }));
  });

  test("refuse a negative limit as a range without rows", () => {
    expect(() => parse("limit=-1")).toThrow(expect.objectContaining({ status: 416, code: "PGRST103" }));
  });

  test("refuse more conditions than a request may have", () => {
    expect(() => parse(Array(300).fill("a=eq.1").join("&"))).toThrow("Too many conditions");
  });
});
