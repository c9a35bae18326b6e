import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GENERATED } from "../setup/migrations.mjs";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

const MOST_LINES = 400;
/** A page composes features; a longer page contains a part that belongs in a feature. */
const MOST_LINES_OF_A_PAGE = 150;
const PAGE = /^web\/pages\//;
/** Lists grow with the product and stay easy to read. */
const LIST = /(^|\/)routes\.tsx$|(^|\/)i18n\//;
/** Generated files, which are not meant to be read. */
const GENERATED_FILES = new Set(Object.values(GENERATED).map(({ path }) => path));

/** Checks that no file is too long to be read as a whole. */
export async function fileSizes() {
  const written = sources(/\.(ts|tsx|mjs|cjs|css|sql)$/).filter((path) => !GENERATED_FILES.has(path));
  const lengths = await Promise.all(
    written.map(async (path) => ({
      path,
      lines: (await readFile(join(root, path), "utf8")).trimEnd().split("\n").length,
    })),
  );
  const crowded = lengths.filter(({ path, lines }) => lines > mostLines(path) && !LIST.test(path));
  const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.floor((sorted.length - 1) * share)];
  return {
    wrong: crowded
      .map(({ path, lines }) => `  ${path} has ${lines} lines of ${mostLines(path)}; split it by noun.`)
      .join("\n"),
    note: `${sorted.length} files, median ${at(0.5)} lines, nine in ten under ${at(0.9)}, longest ${at(1)}`,
  };
}

/** @param {string} path */
const mostLines = (path) => (PAGE.test(path) ? MOST_LINES_OF_A_PAGE : MOST_LINES);
