import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smallCatalogue } from "../../../tests/support/catalogue.ts";
import { RestError } from "./errors.ts";
import type { Pair } from "./parse-query.ts";
import { type Plan, planCall, planTable, type RestRequest } from "./plan.ts";

const catalogue = smallCatalogue();
const plan = (request: Partial<RestRequest>): Plan =>
  (request.name === "books_by" ? planCall : planTable)(
    { method: "GET", name: "books", pairs: [], body: "", ...request },
    catalogue,
    { maxRows: 1000, reader: { roles: ["anon"], signedIn: false } },
    {},
  );

/** Every word that statements consist of; any other word comes from the request. */
const WORDS = new Set(
  `select from as where and or not in is null true false unknown distinct any all like ilike group by order desc nulls
  first last limit offset count coalesce json_agg json_strip_nulls text case when then else end rest refuse join left
  lateral on row_to_json one many found body answered matching to_jsonb pg_catalog int4 _int4 _text regconfig
  to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery jsonb _jsonb json string_agg replace E
  bigint null with written insert into public given json_to_recordset json_array_elements conflict do nothing update json_to_record
  set excluded returning delete called materialized returned value lateral values ${"int8 bool date numeric float4 float8"}
  int2 interval time timestamp timestamptz timetz uuid varchar substring length set_config current_setting nullif true
  pgrst_scalar`.split(/\s+/),
);

/** A statement without its quoted texts and parameters; nothing in it may come from the request. */
function bare(text: string): string {
  return text
    .replaceAll(/"(?:[^"]|"")*"/g, " ")
    .replaceAll(/'(?:[^']|'')*'/g, " ")
    .replaceAll(/\$1\[\d+\]/g, " ");
}

function expectContained(text: string) {
  const rest = bare(text);
  expect(rest).not.toMatch(/["';\\#]|--|\/\*/);
  const strays = (rest.match(/[^\s().,:=<>~*+|&@[\]-]+/gu) ?? []).filter(
    (word) => !WORDS.has(word) && !/^(?:[tewjco]\d+|\d+)$/.test(word),
  );
  expect(strays).toEqual([]);
}

/** Texts with a meaning in the protocol or in SQL, cut and joined at random. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."\" ' \\ -- ; /* */ $1 $$ ( ) , . : :: -> ->> ! * { } \0 ' or 1=1 -- ; drop table x".split(" "),
        "id",
        "title",
        "authors",
        "tags",
        "eq",
        "in",
        "not",
        "and",
        "or",
        "is",
        "null",
        "count",
        "...",
        "desc",
        "authors!author_id(",
        "select pg_sleep(1)",
        "x'); delete from books; --",
        '"a""b"',
        "text",
        "0",
        "1",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const parameter: fc.Arbitrary<Pair> = fc.oneof(
  fc.tuple(fc.constantFrom("select", "order", "limit", "offset", "columns", "on_conflict", "and", "or"), hostile),
  fc.tuple(fc.constantFrom("id", "title", "notes->x->>y", "authors.id"), hostile),
  fc.tuple(
    fc.constantFrom("id", "title"),
    fc
      .tuple(fc.constantFrom("eq.", "in.(", "like(any).", "fts(", "not.cs.", "is."), hostile)
      .map((two) => two.join("")),
  ),
  fc.tuple(
    fc.constant("select"),
    fc
      .tuple(hostile, fc.constantFrom(":title", ":title::text", ":tags(label)", "(id)"))
      .map(([alias, rest]) => `"${alias.replaceAll(/["\\]/g, "\\$&")}"${rest}`),
  ),
  fc.tuple(hostile, hostile),
);

const requests = fc.record({
  method: fc.constantFrom("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"),
  name: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom("books", "authors", "books_by") },
    { weight: 1, arbitrary: hostile },
  ),
  pairs: fc.array(parameter, { maxLength: 5 }),
  prefer: fc.option(fc.constantFrom("return=representation,count=exact", "resolution=merge-duplicates"), {
    nil: undefined,
  }),
  accept: fc.option(fc.constantFrom("text/csv", "application/vnd.pgrst.object+json"), { nil: undefined }),
  body: fc.oneof(
    fc.constantFrom("", "{}", '[{"title":"x"}]'),
    fc
      .dictionary(fc.oneof(fc.constantFrom("id", "title", "author"), hostile), hostile)
      .map((one) => JSON.stringify(one)),
  ),
});

describe("the text of a request", () => {
  test("stays in parameters and quotes, or is refused in the protocol's format", () => {
    let planned = 0;
    fc.assert(
      fc.property(requests, (request) => {
        let made: Plan;
        try {
          made = plan(request);
        } catch (error) {
          expect(error).toBeInstanceOf(RestError);
          return;
        }
        planned += 1;
        expectContained(made.statement.text);
      }),
      { numRuns: 4000 },
    );
    // If every request were refused, the property would prove nothing.
    expect(planned).toBeGreaterThan(100);
  });

  test("an alias cannot leave its quotes", () => {
    const { statement } = plan({ pairs: [["select", '"x\\" from secrets; --":title']] });
    expect(statement.text).toContain('as "x"" from secrets; --"');
    expectContained(statement.text);
  });
});

describe("a statement", () => {
  test("takes a list as one parameter", () => {
    const { statement } = plan({ pairs: [["id", 'in.(1,2,"3\\"}")']] });
    expect(statement.values).toEqual(['{"1","2","3\\"}"}']);
  });

  test("counts without joins that do not affect the matches", () => {
    const { statement } = plan({ pairs: [["select", "id,tags(label)"]], prefer: "count=exact" });
    expect(statement.text.match(/book_tags/g)).toHaveLength(1);
  });

  test("of a GET is read-only", () => {
    expect(plan({}).readOnly).toBe(true);
    expect(plan({ method: "POST", body: "{}" }).readOnly).toBe(false);
  });

  test.each(["PATCH", "DELETE"])("of a %s without a condition is refused", (method) => {
    expect(() => plan({ method, body: "{}" })).toThrow(expect.objectContaining({ code: "21000" }));
    expect(() =>
      plan({
        method,
        body: "{}",
        pairs: [
          ["id", "eq.1"],
          ["limit", "1"],
        ],
      }),
    ).toThrow(expect.objectContaining({ code: "PGRST109" }));
  });
});
