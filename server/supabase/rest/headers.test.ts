import { expect, test } from "vitest";
import { appliedPreferences, checkProfile, readFormat, readPreferences, readRange } from "./headers.ts";

test("the preferences of a Prefer header are read", () => {
  expect(readPreferences("count=exact, resolution=merge-duplicates,return=representation")).toMatchObject({
    count: true,
    resolution: "merge-duplicates",
    return: "representation",
  });
});

test.each<[Parameters<typeof appliedPreferences>[1], string]>([
  ["read", "count=exact, handling=strict"],
  ["insert", "resolution=merge-duplicates, missing=default, return=minimal, count=exact, handling=strict"],
  ["update", "missing=default, return=minimal, count=exact, handling=strict, max-affected=2"],
  ["put", "return=minimal, count=exact, handling=strict"],
  ["delete", "return=minimal, count=exact, handling=strict, max-affected=2"],
  ["call", "count=exact, handling=strict, max-affected=2"],
])("the preferences that apply to the request %s, in PostgREST's order", (kind, applied) => {
  const header = "max-affected=2,handling=strict,tx=commit,count=exact,return=minimal,missing=default";
  const preferences = readPreferences(`${header},resolution=merge-duplicates`);
  expect(appliedPreferences(preferences, kind).join(", ")).toBe(applied);
});

test("several Prefer headers are read as one list, in which the first of two values counts", () => {
  const joined = String(
    new Headers([
      ["prefer", "return=minimal"],
      ["prefer", "count=exact,return=representation"],
    ]).get("prefer"),
  );
  expect(readPreferences(joined)).toMatchObject({ return: "minimal", count: true });
});

test("a preference that is not known is ignored, unless handling is strict", () => {
  expect(readPreferences("timezone=Mars, return=everything").sent).toEqual(new Map());
  expect(() => readPreferences("handling=strict, return=everything")).toThrow(
    expect.objectContaining({ code: "PGRST122" }),
  );
});

test("max-affected counts only under strict handling", () => {
  expect(readPreferences("max-affected=3").maxAffected).toBeUndefined();
  expect(appliedPreferences(readPreferences("max-affected=3"), "update")).toEqual([]);
  expect(readPreferences("handling=strict,max-affected=3").maxAffected).toBe(3);
});

test.each<[string | undefined, string, boolean]>([
  [undefined, "array", false],
  ["*/*", "array", false],
  ["text/html, application/json;q=0.9", "array", false],
  ["application/json;q=0.5, text/csv", "csv", false],
  ["text/csv;q=0.5, application/json;q=0.7", "array", false],
  ["application/vnd.pgrst.object+json", "object", false],
  ["application/vnd.pgrst.array+json;nulls=stripped", "array", true],
  ["application/vnd.pgrst.object+json; nulls=stripped", "object", true],
  ["application/json;nulls=stripped", "array", false],
  ["text/csv", "csv", false],
])("Accept %s asks for %s", (header, shape, withoutNulls) => {
  expect(readFormat(header)).toMatchObject({ shape, withoutNulls });
});

test("an Accept header without a supported type is refused", () => {
  expect(() => readFormat("application/geo+json")).toThrow(expect.objectContaining({ status: 406, code: "PGRST107" }));
});

test.each([
  ["5-9", { offset: 5, limit: 5 }],
  ["items=0-0", undefined],
  ["5-", { offset: 5 }],
  ["0-99999999999999999999", { offset: 0, limit: 100_000_000_000_000_000_000 }],
  ["bytes=0-5", undefined],
  [undefined, undefined],
])("the Range header %s is read", (header, range) => {
  expect(readRange(header)).toEqual(range);
});

test("a Range that ends before it begins is refused", () => {
  expect(() => readRange("9-5")).toThrow(expect.objectContaining({ status: 416, code: "PGRST103" }));
});

test("a Range beyond the database's numbers is refused", () => {
  expect(() => readRange("99999999999999999999-")).toThrow(expect.objectContaining({ status: 400, code: "22003" }));
});

test("public is the only schema", () => {
  expect(() => checkProfile("public")).not.toThrow();
  expect(() => checkProfile("auth")).toThrow(expect.objectContaining({ status: 406, code: "not_supported" }));
});
