import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { pages } from "../../shared/pages.ts";
import { pagePattern } from "./page-patterns.ts";

const folder = new URL("../../web/pages/", import.meta.url);

test("every page of the web app stands in the list of pages once, and its file exists", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("Page.tsx"));
  expect(files.length).toBeGreaterThan(25);
  expect(pages.map(({ file }) => `${file}.tsx`).sort()).toEqual(files.sort());
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
});

test("every page of the web app is logged under the pattern of its route", () => {
  for (const { path } of pages.filter(({ path }) => path.startsWith("/"))) {
    const pattern = path.replace("?", "");
    expect(pagePattern(pattern.replace(/:\w+/g, "some-secret"))).toBe(pattern);
  }
});

test.each([
  ["/shared/0123456789abcdefghijkl/11111111-2222-4333-8444-555555555555?photo=1", "/shared/:shareId/:memoryId"],
  ["/c/ABCDEFGH1234", "/c/:code"],
  ["/assets/index-abc123.js", "/assets/*"],
  ["/shred/0123456789abcdefghijkl", "/*"],
  ["/shared/0123456789abcdefghijkl/a/b", "/*"],
  ["/SHARED/0123456789abcdefghijkl", "/*"],
])("%s is logged as %s", (url, pattern) => {
  expect(pagePattern(url)).toBe(pattern);
});
