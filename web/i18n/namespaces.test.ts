import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const web = join(import.meta.dirname, "..");
const source = (file: string) => readFileSync(file, "utf8");
const files = readdirSync(web, { recursive: true, encoding: "utf8" })
  .filter((name) => /(?<!\.test|\.d)\.tsx?$/.test(name))
  .map((name) => join(web, name));

const importsOf = (file: string, pattern: RegExp) =>
  [...source(file).matchAll(pattern)]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter((path) => files.includes(path));

/** A file and all that comes with it in the same chunk, or in one before. */
function closure(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const next of importsOf(file, /^(?:import|\} from|.* from) ?"(\.[^"]+)"/gm)) closure(next, found);
  return found;
}

const named = (text: string) => [...text.matchAll(/"(\w+)"/g)].map(([, name]) => name ?? "");
const namespacesUsed = (file: string) =>
  [...source(file).matchAll(/useTranslation\(([^)]*)\)|\bt\(\s*["`](\w+):/g)].flatMap(([, list, name]) =>
    list === undefined ? [name ?? ""] : named(list),
  );

const starts = new Set(files.flatMap((file) => importsOf(file, /\bimport\("(\.[^"]+)"\)/g)));

test.each([...starts].map((file) => relative(web, file)))("%s brings the texts it uses", (name) => {
  const chunk = [...closure(join(web, name))];
  const brought = chunk.flatMap((file) =>
    dirname(file) === join(web, "i18n/namespaces") ? [file.match(/(\w+)\.ts$/)?.[1]] : [],
  );
  const used = new Set(chunk.flatMap(namespacesUsed));
  expect([...used].filter((name) => !["common", "layout", ...brought].includes(name))).toEqual([]);
});

test("the first chunk needs no texts but its own", () => {
  const used = [...closure(join(web, "main.tsx"))].flatMap(namespacesUsed);
  expect(used.filter((name) => !["common", "layout"].includes(name))).toEqual([]);
});
