import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureBuild } from "../setup/build.mjs";
import { filesOf } from "../setup/manifest.mjs";
import { root } from "../setup/root.mjs";

const KB = 1024;

/** Modules that every public page loads: the visitors' bar, the consent banner, the query client. */
const FRAME = ["index.html", "web/layout/Header.tsx", "web/features/consent/ConsentBanner.tsx", "queries"];

const PUBLIC = [
  "Start",
  "Home",
  "About",
  "GetStarted",
  "Pricing",
  "Shop",
  "Affiliates",
  "Privacy",
  "Terms",
  "Contact",
  "Help",
  "Blog",
  "BlogPost",
  "NotFound",
];

/**
 * The modules that a visitor loads for each page; `tests/e2e/first-page.test.ts` verifies that none is missing here.
 * @type {Record<string, { modules: string[], most: number }>}
 */
const PAGES = {
  ...Object.fromEntries(
    PUBLIC.map((name) => [name, { modules: [...FRAME, `web/pages/${name}Page.tsx`], most: 120 * KB }]),
  ),
  "a share gate": { modules: ["index.html", "web/layout/Header.tsx", "web/pages/SharedPage.tsx"], most: 100 * KB },
};

/** Checks the compressed JavaScript (Brotli): at most 120 KB for each public page, and 100 KB for a share gate. */
export async function bundleBudget() {
  await ensureBuild();
  const web = join(root, "dist/web");
  /** @type {Record<string, import("../setup/manifest.mjs").Chunk>} */
  const manifest = JSON.parse(await readFile(join(web, ".vite/manifest.json"), "utf8"));
  let [heaviest, note] = [0, ""];
  const wrong = [];
  for (const [page, { modules, most }] of Object.entries(PAGES)) {
    const files = new Set();
    for (const name of modules) for (const file of filesOf(name, manifest)) files.add(file);
    let bytes = 0;
    for (const file of files) bytes += await travellingSize(join(web, file));
    if (bytes > heaviest) [heaviest, note] = [bytes, `at most ${(bytes / KB).toFixed(1)} KB, on ${page}`];
    if (bytes > most) wrong.push(`  ${page} is over ${most / KB} KB: ${(bytes / KB).toFixed(1)} KB.`);
  }
  return { wrong: wrong.join("\n"), note };
}

/** @param {string} path */
const travellingSize = async (path) => (await stat(path + (existsSync(`${path}.br`) ? ".br" : ""))).size;
