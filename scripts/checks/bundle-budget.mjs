import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureBuild } from "../setup/build.mjs";
import { filesOf } from "../setup/manifest.mjs";
import { root } from "../setup/root.mjs";

const KB = 1024;

/** What a visitor's browser loads before a page is whole; `tests/e2e/first-page.test.ts` looks that nothing is missing here. */
const PAGES = {
  "/": { modules: ["index.html", "web/pages/StartPage.tsx"], most: 120 * KB },
  "/shared/{shareId}": { modules: ["index.html", "web/layout/Header.tsx", "web/pages/SharedPage.tsx"], most: 100 * KB },
};

/** The JavaScript of the first page a visitor sees, as it travels (Brotli), is at most 120 KB, of a share gate 100 KB. */
export async function bundleBudget() {
  await ensureBuild();
  const web = join(root, "dist/web");
  /** @type {Record<string, import("../setup/manifest.mjs").Chunk>} */
  const manifest = JSON.parse(await readFile(join(web, ".vite/manifest.json"), "utf8"));
  const notes = [];
  const wrong = [];
  for (const [page, { modules, most }] of Object.entries(PAGES)) {
    const files = new Set();
    for (const name of modules) for (const file of filesOf(name, manifest)) files.add(file);
    let bytes = 0;
    for (const file of files) bytes += await travellingSize(join(web, file));
    notes.push(`${page} ${(bytes / KB).toFixed(1)} KB`);
    if (bytes > most) wrong.push(`  ${page} is over ${most / KB} KB.`);
  }
  return { wrong: wrong.join("\n"), note: notes.join(", ") };
}

/** @param {string} path */
const travellingSize = async (path) => (await stat(path + (existsSync(`${path}.br`) ? ".br" : ""))).size;
