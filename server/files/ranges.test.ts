import fc from "fast-check";
import { expect, test } from "vitest";
import { rangeOf } from "./object-store.ts";

test.each([
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=0-", { start: 0, end: 99 }],
  ["bytes=90-", { start: 90, end: 99 }],
  ["bytes=10-1000", { start: 10, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["BYTES= 5-6 ", { start: 5, end: 6 }],
])("the range %s of 100 bytes is understood", (header, range) => {
  expect(rangeOf(header, 100)).toEqual(range);
});

test.each(["bytes=100-", "bytes=100-200", "bytes=-0"])("%s of 100 bytes cannot be satisfied", (header) => {
  expect(rangeOf(header, 100)).toBe("unsatisfiable");
});

test.each([undefined, "", "bytes=", "bytes=-", "bytes=5-4", "items=0-1", "bytes=0-1,5-6", "bytes=a-b"])(
  "%s is answered with the whole file",
  (header) => {
    expect(rangeOf(header, 100)).toBeUndefined();
  },
);

test("an empty file has no satisfiable range", () => {
  expect(rangeOf("bytes=0-", 0)).toBe("unsatisfiable");
  expect(rangeOf("bytes=-5", 0)).toBe("unsatisfiable");
});

test("a range always lies within the bytes", () => {
  fc.assert(
    fc.property(fc.option(fc.nat()), fc.option(fc.nat()), fc.nat(), (first, last, size) => {
      const range = rangeOf(`bytes=${first ?? ""}-${last ?? ""}`, size);
      if (typeof range !== "object") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThan(size);
    }),
  );
});
