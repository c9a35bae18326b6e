import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isBucketName, isObjectName } from "./requests.ts";

test.each(["a.jpg", "folder/a b (1).jpg", "a/b/c/d", "..a/b..", "it's.png"])("%s can name an object", (name) => {
  expect(isObjectName(name)).toBe(true);
});

test.each([
  "",
  "/a.jpg",
  "a/",
  "a//b",
  "../a",
  "a/../b",
  "a/./b",
  "a\0b",
  "a\\b",
  "a?b",
  "a#b",
  "a%2fb",
  "é.jpg",
  "a".repeat(1025),
])("%j is refused as an object name", (name) => {
  expect(isObjectName(name)).toBe(false);
});

test("an object's name never leaves the folder it is joined to", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[./a]{0,12}$/), (name) => {
      if (isObjectName(name)) expect(join("/files/bucket", name)).toBe(`/files/bucket/${name}`);
    }),
  );
});

test.each([".", "..", "a/b", "", "x".repeat(101)])("%j cannot name a bucket", (name) => {
  expect(isBucketName(name)).toBe(false);
});
