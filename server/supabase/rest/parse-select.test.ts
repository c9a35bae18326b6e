import { describe, expect, test } from "vitest";
import { parseSelect } from "./parse-select.ts";
import { emptyQuery } from "./query.ts";

const column = (name: string, more = {}) => ({ kind: "column", field: { name, path: [] }, ...more });
const embed = (relation: string, items: unknown[], more = {}) => ({
  kind: "embed",
  relation,
  inner: false,
  spread: false,
  query: { ...emptyQuery([]), items },
  ...more,
});

describe("select", () => {
  test.each<[string, unknown[]]>([
    ["", [{ kind: "star" }]],
    ["*", [{ kind: "star" }]],
    ["id,full_name", [column("id"), column("full_name")]],
    ["who:full_name", [column("full_name", { alias: "who" })]],
    ["size::text", [column("size", { cast: "text" })]],
    ["bytes:size::text", [column("size", { alias: "bytes", cast: "text" })]],
    ['"a,b","say \\"so\\""', [column("a,b"), column('say "so"')]],
    ["first-name,città", [column("first-name"), column("città")]],
    ["count()", [{ kind: "count" }]],
    ["count", [column("count")]],
    ["media(type,size)", [embed("media", [column("type"), column("size")])]],
    ["media()", [embed("media", [])]],
    ["photos:media!inner(id)", [embed("media", [column("id")], { alias: "photos", inner: true })]],
    ["media!memory_id!left(id)", [embed("media", [column("id")], { hint: "memory_id" })]],
    ["...authors(name)", [embed("authors", [column("name")], { spread: true })]],
    ["a(b(c(*)))", [embed("a", [embed("b", [embed("c", [{ kind: "star" }])])])]],
    ["media(count)", [embed("media", [column("count")])]],
  ])("%s", (text, items) => {
    expect(parseSelect(text)).toEqual(items);
  });

  test("follows JSON by keys and indexes", () => {
    expect(parseSelect("data->phones->0->>number")).toEqual([
      {
        kind: "column",
        field: {
          name: "data",
          path: [
            { key: "phones", index: false, asText: false },
            { key: "0", index: true, asText: false },
            { key: "number", index: false, asText: true },
          ],
        },
      },
    ]);
  });

  test.each([
    "a,",
    "a(",
    "a(b",
    "a)",
    ":a",
    "a::",
    '"a',
    "a;b",
    "a--",
    "...a",
    "a!inner",
    "a->",
    "a.total()",
    "...a:b(c)",
    "a!b!inner!left(c)",
  ])("refuses %s", (text) => {
    expect(() => parseSelect(text)).toThrow(expect.objectContaining({ status: 400, code: "PGRST100" }));
  });

  test.each(["a.sum()", "x:a.avg()", "a::int.max()", "b(a.min())", "a.count()", "count()::text"])(
    "refuses %s, as not supported",
    (text) => {
      expect(() => parseSelect(text)).toThrow(expect.objectContaining({ status: 400, code: "not_supported" }));
    },
  );

  test("refuses more levels or items than a request may have", () => {
    expect(() => parseSelect(`${"a(".repeat(20)}b${")".repeat(20)}`)).toThrow("Too many levels of embedding");
    expect(() => parseSelect(Array(400).fill("a").join(","))).toThrow("Too many selected items");
  });
});
