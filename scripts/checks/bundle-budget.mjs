import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureBuild } from "../setup/build.mjs";
import { filesOf } from "../setup/manifest.mjs";
import { moduleOf, readPages } from "../setup/pages.mjs";
import { root } from "../setup/root.mjs";

const KB = 1024;

/** Modules around each page of a kind: the visitors' bar, the consent banner, the query client; and its most bytes. */
const KINDS = {
  public: {
    frame: ["index.html", "web/layout/Header.tsx", "web/features/consent/ConsentBanner.tsx", "queries"],
    most: 120 * KB,
  },
  gate: { frame: ["index.html", "web/layout/Header.tsx"], most: 100 * KB },
};

/**
 * The modules that a visitor loads for each page; `tests/e2e/first-page.test.ts` verifies that none is missing here.
 * @param {import("../setup/pages.mjs").Page} page
 */
function visited(page) {
  if (page.kind !== "public" && page.kind !== "gate") return [];
  const { frame, most } = KINDS[page.kind];
  return [{ path: page.path, most, modules: [...frame, ...(page.plain ? [] : ["queries"]), moduleOf(page)] }];
}

/** Checks the compressed JavaScript (Brotli): at most 120 KB for each public page, and 100 KB for a gate. */
export async function bundleBudget() {
  await ensureBuild();
  const web = join(root, "dist/web");
  /** @type {Record<string, import("../setup/manifest.mjs").Chunk>} */
  const manifest = JSON.parse(await readFile(join(web, ".vite/manifest.json"), "utf8"));
  let [heaviest, note] = [0, ""];
  const wrong = [];
  for (const { path, modules, most } of (await readPages()).flatMap(visited)) {
    const files = new Set();
    for (const name of modules) for (const file of filesOf(name, manifest)) files.add(file);
    let bytes = 0;
    for (const file of files) bytes += await travellingSize(join(web, file));
    if (bytes > heaviest) [heaviest, note] = [bytes, `at most ${(bytes / KB).toFixed(1)} KB, on ${path}`];
    if (bytes > most) wrong.push(`  ${path} is over ${most / KB} KB: ${(bytes / KB).toFixed(1)} KB.`);
  }
  return { wrong: wrong.join("\n"), note };
}

/** @param {string} path */
const travellingSize = async (path) => (await stat(path + (existsSync(`${path}.br`) ? ".br" : ""))).size;
