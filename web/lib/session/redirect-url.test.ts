import { expect, test } from "vitest";
import { ownPath, pathOf } from "./redirect-url.ts";

const origin = "https://skies.example";

test.each([
  ["/memory/new", "/memory/new"],
  ["/memory/1?photo=2#story", "/memory/1?photo=2#story"],
  ["https://skies.example/home", "/home"],
  ["/", "/"],
])("%s is an address of this site", (address, path) => {
  expect(ownPath(address, origin)).toBe(path);
});

test.each([
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example",
  "/\t/evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://skies.example.evil.example/",
  "https://skies.example//evil.example",
  "http://skies.example/",
  "http://[",
])("%s is not used as an address after sign-in", (address) => {
  expect(ownPath(address, origin)).toBeUndefined();
});

test("the remembered path of a page has its query and the fragment that names a comment", () => {
  const address = new URL("/memory/1?photo=2#comment-3", origin);
  expect(ownPath(pathOf(address), origin)).toBe("/memory/1?photo=2#comment-3");
});
