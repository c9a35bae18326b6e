import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../setup/root.mjs";

/** Folders at the root that are generated or downloaded. */
const NOT_OURS = new Set(["node_modules", "dist", "data", "data-demo", ".cache", ".git", "test-results"]);

/**
 * Every file below `folder` with a matching name, as paths relative to the root.
 * @param {RegExp} name
 * @param {string} [folder]
 * @returns {string[]}
 */
export function sources(name, folder = "") {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(path) ? [] : sources(name, path);
    return name.test(entry.name) ? [relative("", path)] : [];
  });
}
