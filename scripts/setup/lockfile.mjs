import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/**
 * A package in package-lock.json.
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[],
 *   libc?: string[], optionalDependencies?: Record<string, string> }} Package
 * @typedef {{ packages: Record<string, Package> }} Lockfile
 */

/**
 * @param {string} path relative to the package's folder
 * @returns {Lockfile}
 */
export const readLockfile = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/**
 * Optional builds for other systems that the lockfile lacks. npm leaves them out if the registry in use does not have
 * them, and then `npm ci` fails on every system.
 * @param {Lockfile} lockfile
 * @returns {Record<string, Package>}
 */
export function missingBuilds({ packages }) {
  /** @type {Record<string, Package>} */
  const missing = {};
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isNamed(name, path, packages)) continue;
      missing[`node_modules/${name}`] = { version, ...systemOf(name), ...(dev ? { dev } : {}), optional: true };
    }
  }
  return missing;
}

/**
 * Whether Node would find a package from another one's folder: inside, then further up.
 * @param {string} name
 * @param {string} from
 * @param {Record<string, Package>} packages
 */
function isNamed(name, from, packages) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (packages[`${folder ? `${folder}/` : ""}node_modules/${name}`]) return true;
    if (folder === "") return false;
  }
}

const OS = /(?<=-)(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)(?=-|$)/;
const CPU = /(?<=-)(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)(?=-|$)/;

/**
 * The system of a build by its name, e.g. `cli-linux-x64-musl`; npm skips it on other systems.
 * @param {string} name
 */
function systemOf(name) {
  const [os, cpu] = [name.match(OS)?.[0], name.match(CPU)?.[0]];
  // Without a system, npm would install the package everywhere, where it may not exist.
  if (!os && !cpu) throw new Error(`The lockfile lacks ${name}, whose name tells of no system. Add it with npm.`);
  const libc = name.match(/-(musl|gnu)/)?.[1]?.replace("gnu", "glibc");
  return { ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc: [libc] } : {}), ...(os ? { os: [os] } : {}) };
}
