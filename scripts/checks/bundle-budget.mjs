import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureBuild } from "../setup/build.mjs";
import { filesOf } from "../setup/manifest.mjs";
import { root } from "../setup/root.mjs";

const MOST_BYTES = 150 * 1024;

/** What a visitor's browser loads before a page is whole; `tests/e2e/first-page.test.ts` looks that nothing is missing here. */
const PAGES = {
  "/": ["index.html", "web/pages/StartPage.tsx"],
  "/shared/{shareId}": ["index.html", "web/layout/Header.tsx", "web/pages/SharedPage.tsx"],
};

/** The JavaScript of the first page a visitor sees, as it travels (Brotli), is at most 150 KB. */
export async function bundleBudget() {
  await ensureBuild();
  const web = join(root, "dist/web");
  /** @type {Record<string, import("../setup/manifest.mjs").Chunk>} */
  const manifest = JSON.parse(await readFile(join(web, ".vite/manifest.json"), "utf8"));
  const notes = [];
  const wrong = [];
  for (const [page, modules] of Object.entries(PAGES)) {
    const files = new Set();
    for (const name of modules) for (const file of filesOf(name, manifest)) files.add(file);
    let bytes = 0;
    for (const file of files) bytes += await travellingSize(join(web, file));
    notes.push(`${page} ${(bytes / 1024).toFixed(1)} KB`);
    if (bytes > MOST_BYTES) wrong.push(`  ${page} is over ${MOST_BYTES / 1024} KB.`);
  }
  return { wrong: wrong.join("\n"), note: notes.join(", ") };
}

/** @param {string} path */
const travellingSize = async (path) => (await stat(path + (existsSync(`${path}.br`) ? ".br" : ""))).size;
