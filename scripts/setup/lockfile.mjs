import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/**
 * A package in package-lock.json.
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[],
 *   libc?: string[], dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string> }} Package
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
      if (pathOf(name, path, packages)) continue;
      missing[`node_modules/${name}`] = { version, ...systemOf(name), ...(dev ? { dev } : {}), optional: true };
    }
  }
  return missing;
}

/**
 * Where Node finds a package from another one's folder: inside, then further up.
 * @param {string} name
 * @param {string} from
 * @param {Record<string, Package>} packages
 * @returns {string | undefined}
 */
function pathOf(name, from, packages) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = `${folder ? `${folder}/` : ""}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === "") return undefined;
  }
}

/**
 * The folders of packages and of all that they need, as far as they are installed on this system.
 * @param {Record<string, Package>} packages
 * @param {Iterable<string>} names
 */
export function closureOf(packages, names) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {string} name @param {string} from */
  const add = (name, from) => {
    const path = pathOf(name, from, packages);
    if (!path || found.has(path) || !existsSync(join(root, path))) return;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      add(needed, path);
  };
  for (const name of names) add(name, "");
  return [...found];
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
