import { describe, expect, test } from "vitest";
import { bracketDepth, checkJson, JSON_CONTAINERS, JSON_DEPTH } from "./bounds.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("JSON text", () => {
  test.each([
    "",
    "5",
    "not JSON",
    nested(JSON_DEPTH),
    JSON.stringify({ text: "[".repeat(1000), quote: 'a "[[[" b', backslash: "\\" }),
    JSON.stringify("the six characters \\u0000"),
    `"${"\\\\".repeat(100)}u0000"`,
    JSON.stringify(Array(1000).fill({ a: 1 })),
  ])("within the bounds passes: %s", (text) => {
    expect(() => checkJson(text)).not.toThrow();
  });

  test.each([
    nested(JSON_DEPTH + 1),
    "[".repeat(100_000),
    '{"a":'.repeat(JSON_DEPTH + 1),
    '"\\u0000"',
    '"\\\\\\u0000"',
    '{"a\\u0000":1}',
    '"\0"',
    "\0",
    `[${Array(JSON_CONTAINERS).fill("{}").join()}]`,
  ])("beyond them is refused: %s", (text) => {
    expect(() => checkJson(text)).toThrow(expect.objectContaining({ status: 400, part: "body" }));
  });
});

test("nested brackets count, and consecutive ones do not", () => {
  expect(bracketDepth("(a)(b)[c]{d}")).toBe(1);
  expect(bracketDepth("((a)[{b}])")).toBe(3);
  expect(bracketDepth(")))(")).toBe(1);
});
