import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pagePattern } from "./page-patterns.ts";

test("every page of the web app is logged under the pattern of its route", () => {
  const routes = readFileSync(new URL("../../web/routes.tsx", import.meta.url), "utf8");
  const patterns = [...routes.matchAll(/path: "(\/[^"]*)"/g)].map(([, pattern = ""]) => pattern.replace("?", ""));
  expect(patterns.length).toBeGreaterThan(25);
  for (const pattern of patterns) expect(pagePattern(pattern.replace(/:\w+/g, "some-secret"))).toBe(pattern);
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
