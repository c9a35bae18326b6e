import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

/**
 * A file of a Debian package that only tests need, as this machine has it, else unpacked into the cache folder.
 * @param {string} name
 * @param {string} file
 */
async function ensureFile(name, file) {
  if (existsSync(file)) return { file, libraries: "" };
  if (!isDebian()) throw new Error(`Some tests need Debian's package ${name}.`);
  const folder = await unpackDebianPackages([name], join(root, `.cache/${name}`));
  return { file: join(folder, file), libraries: librariesIn(folder) };
}

/** The proxy, which tests run with `deploy/nginx.conf`. */
export const ensureNginx = () => ensureFile("nginx", "/usr/sbin/nginx");

/** The library that makes a process read another time; its path is that of 64-bit Intel machines. */
export const ensureFaketime = () => ensureFile("libfaketime", "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");

/** The pooler, which tests put before the database. */
export const ensurePgbouncer = () => ensureFile("pgbouncer", "/usr/sbin/pgbouncer");

/** The program of the format of encrypted backups, which tests open them with. */
export const ensureAge = () => ensureFile("age", "/usr/bin/age");
