import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../setup/processes.mjs";
import { root } from "../setup/root.mjs";

/**
 * A check. It resolves to the problems, empty if there are none, and to an optional note.
 * @typedef {{ wrong: string, note?: string }} Finding
 * @typedef {{ name: string, find: () => Promise<Finding> }} Check
 */

/** @type {Check[]} */
const all = [
  { name: "style", find: tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings") },
  // TypeScript 7 takes a third of the time; version 6 remains for tools that use it as a library. In one
  // thread, the web app takes half of the processor time, because each thread works out the same types.
  { name: "types of the web app", find: tool("typescript7/bin/tsc", "-p", "tsconfig.web.json", "--checkers", "1") },
  { name: "types of the server", find: tool("typescript7/bin/tsc", "-p", "tsconfig.server.json") },
  { name: "types of what both share", find: tool("typescript7/bin/tsc", "-p", "tsconfig.shared.json") },
  {
    name: "who imports whom",
    find: tool(
      "dependency-cruiser/bin/dependency-cruise.mjs",
      "--config",
      ".dependency-cruiser.cjs",
      "--output-type",
      "err-long",
      ...["web", "server", "shared", "tests", "db", "bench", "sandboxes"].filter((folder) =>
        existsSync(join(root, folder)),
      ),
    ),
  },
  { name: "nothing unused", find: tool("knip/bin/knip.js", "--no-progress") },
  { name: "a complete lockfile", find: lazily(() => import("./lockfile-complete.mjs"), "lockfileComplete") },
  {
    name: "production packages",
    find: lazily(() => import("./production-packages.mjs"), "productionPackages"),
  },
  { name: "no serious advisories", find: lazily(() => import("./advisories.mjs"), "advisories") },
  { name: "paths in documents", find: lazily(() => import("./document-paths.mjs"), "documentPaths") },
  { name: "generated files are fresh", find: lazily(() => import("./generated.mjs"), "generated") },
  { name: "late imports", find: lazily(() => import("./late-imports.mjs"), "lateImports") },
  { name: "size of files", find: lazily(() => import("./file-sizes.mjs"), "fileSizes") },
  { name: "one remover of bytes", find: lazily(() => import("./byte-removal.mjs"), "byteRemoval") },
  { name: "one queue of work", find: lazily(() => import("./one-queue.mjs"), "oneQueue") },
  { name: "patterns in linear time", find: lazily(() => import("./slow-patterns.mjs"), "slowPatterns") },
  { name: "no product words in the protocol", find: lazily(() => import("./product-words.mjs"), "productWords") },
  { name: "weight of the first page", find: lazily(() => import("./bundle-budget.mjs"), "bundleBudget") },
];

/**
 * Runs every check, or those whose name contains one of `names`, two in parallel, and prints the results. Resolves to
 * the numbers of passed and failed ones, and to the names of the failed with their problems.
 * @param {string[]} [names]
 */
export async function checks(names = []) {
  const chosen = all.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  const waiting = [...chosen];
  /** @type {string[]} */
  const failures = [];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = Date.now();
      const { wrong, note } = await check.find().catch((/** @type {Error} */ error) => ({
        wrong: error.stack ?? error.message,
        note: undefined,
      }));
      if (wrong) failures.push(`${check.name}\n${wrong.trimEnd().slice(0, 2000)}`);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${wrong ? "✗" : "✓"} ${check.name} (${seconds} s)${note ? `: ${note}` : ""}`);
      if (wrong) console.log(wrong.trimEnd());
    }
  };
  await Promise.all([work(), work()]);
  return { passed: chosen.length - failures.length, failed: failures.length, failures };
}

/**
 * A check that runs a package's command.
 * @param {string} file the command's script, inside node_modules
 * @param {string[]} args
 */
function tool(file, ...args) {
  return async () => {
    const { code, output } = await run(process.execPath, [join(root, "node_modules", file), ...args], { quiet: true });
    return { wrong: code === 0 ? "" : output || `It ended with ${code}.` };
  };
}

/**
 * A check that imports packages, so it is loaded only after their installation.
 * @template {string} Name
 * @param {() => Promise<Record<Name, () => Promise<Finding>>>} load
 * @param {Name} name
 */
function lazily(load, name) {
  return async () => (await load())[name]();
}
