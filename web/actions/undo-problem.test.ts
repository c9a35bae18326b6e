import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const WEB = join(import.meta.dirname, "..");
const sources = readdirSync(WEB, { recursive: true, encoding: "utf8" })
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(WEB, path), "utf8") }));

/** Returns the text from `start` to the end of its expression: the first comma or semicolon, or bracket that closes another. */
function expressionAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if ("([{".includes(text.charAt(at))) depth++;
    else if (")]}".includes(text.charAt(at)) && --depth < 0) return text.slice(start, at);
    else if (depth === 0 && /[,;]/.test(text.charAt(at))) return text.slice(start, at);
  }
  return text.slice(start);
}

/** The writes of undos: of the function of a toast's action, or of a function with a name such as `undo` or `back`. */
const undos = sources.flatMap(({ path, text }) => {
  if (!/label: t\("[\w:.]*undo"\)/.test(text)) return [];
  return [...text.matchAll(/onSelect: |const (?:undo|back|hideAgain|onSelect) = /g)]
    .map((match) => expressionAt(text, match.index + match[0].length))
    .filter((code) => /\b(?:mutate|mutateAsync)\(/.test(code))
    .map((code) => ({ path, code }));
});

test("an undo that fails says so", () => {
  expect(undos.length).toBeGreaterThan(10);
  // `useRestoreMemory` calls its own callback for both outcomes.
  const silent = undos.filter(
    ({ code }) => !/\bonError\b|\.catch\(|\.then\(\w+, \w+\)|\brestore\.mutate\(memory\.id\)/.test(code),
  );
  expect(silent).toEqual([]);
});
