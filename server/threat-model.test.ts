import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const threats = readFileSync(new URL("docs/threat-model.md", root), "utf8")
  .split("\n")
  .filter((line) => /^\| (?!Protected)/.test(line));

test("every threat of the model names test files that exist", () => {
  expect(threats.length).toBeGreaterThan(10);
  for (const threat of threats) {
    const files = [...threat.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
    expect([threat, files.length]).not.toEqual([threat, 0]);
    for (const file of files) expect([file, existsSync(new URL(file, root))]).toEqual([file, true]);
  }
});
