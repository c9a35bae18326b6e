import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

/** The routes; web/load-page.ts handles their failures. */
const ROUTES = "web/routes.ts";
const IMPORT = /\bimport\("([^"]+\.tsx)"\)/g;

/**
 * Checks that components load late only by `lazyPart`, which retries and keeps the page if they cannot be loaded: in each
 * statement that imports one, `lazyPart(` comes first, or the function that it imports with is used there.
 */
export async function lateImports() {
  const files = sources(/\.tsx?$/, "web").filter((path) => path !== ROUTES && !path.endsWith(".test.ts"));
  const wrong = [];
  let parts = 0;
  for (const path of files) {
    const text = await readFile(join(root, path), "utf8");
    for (const { index, 1: module } of text.matchAll(IMPORT)) {
      parts += 1;
      const ends = [";\n", "}\n"].map((end) => text.lastIndexOf(end, index) + 1);
      const statement = text.slice(Math.max(...ends), index);
      const [, name] = /^\s*(?:\/\/.*\s+)*const (\w+) = \(\) => $/.exec(statement) ?? [];
      const isPart =
        statement.includes("lazyPart") || (name && text.includes(`lazyPart(async () => ({ default: (await ${name}()`));
      if (!isPart) wrong.push(`  ${path}: imports ${module} late without lazyPart.`);
    }
  }
  return { wrong: wrong.join("\n"), note: `${parts} parts` };
}
