import { describe, expect, test } from "vitest";
import { cleanText, readPayload, sharedKeys } from "./payload.ts";

const type = { name: "pg_catalog.text", base: "pg_catalog.text", array: null, kind: "text", domain: null };
const story = { name: "story", type: { ...type, domain: "html" } };
const title = { name: "title", type };
const cleaners = { html: (value: string) => value.replaceAll(/<[^>]*>/g, "") };
const clean = (text: string) => cleanText(readPayload(text), [story, title], cleaners);

describe("a body", () => {
  test.each(["", "{", "5", "null", '"text"', "[1]", "[null]", "[[]]"])("%s is refused", (text) => {
    expect(() => readPayload(text)).toThrow(expect.objectContaining({ status: 400, code: "PGRST102" }));
  });

  test("of several rows must give the same columns in each", () => {
    expect(sharedKeys(readPayload('[{"a":1,"b":2},{"b":3,"a":4}]'))).toEqual(["a", "b"]);
    expect(() => sharedKeys(readPayload('[{"a":1},{"b":2}]'))).toThrow("All object keys must match");
  });

  test("is unchanged if no column needs cleaning, with numbers beyond JavaScript's precision", () => {
    const text = '{ "title": "<b>kept</b>", "size": 12345678901234567890 }';
    expect(clean(text)).toBe(text);
  });

  test("is cleaned in every row, in the columns that ask for it", () => {
    expect(clean('{"story":"<i>a</i>","title":"<b>"}')).toBe('{"story":"a","title":"<b>"}');
    expect(clean('[{"story":"<i>a</i>"},{"story":null},{"title":"x"}]')).toBe(
      '[{"story":"a"},{"story":null},{"title":"x"}]',
    );
  });

  test("is cleaned even if its value is an object, which is stored as text", () => {
    expect(clean('{"story":{"x":"<i>a</i>"}}')).toBe('{"story":"{\\"x\\":\\"a\\"}"}');
  });

  test("is cleaned where a key is written in escapes, or twice", () => {
    expect(clean('{"st\\u006fry":"<i>a</i>"}')).toBe('{"story":"a"}');
    expect(clean('{"story":"fine","story":"<i>b</i>"}')).toBe('{"story":"b"}');
  });
});
