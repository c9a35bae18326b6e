import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

/**
 * The path of a file of a Debian package that only tests need: installed, otherwise unpacked into the cache folder.
 * @param {string} name
 * @param {string} file
 */
async function ensureFile(name, file) {
  if (existsSync(file)) return { file, libraries: "" };
  if (!isDebian()) throw new Error(`Some tests need Debian's package ${name}.`);
  const folder = await unpackDebianPackages([name], join(root, `.cache/${name}`));
  return { file: join(folder, file), libraries: librariesIn(folder) };
}

/** nginx, for tests of `deploy/nginx.conf`. */
export const ensureNginx = () => ensureFile("nginx", "/usr/sbin/nginx");

/** A library that changes the time of a process; the path is that of x86-64. */
export const ensureFaketime = () => ensureFile("libfaketime", "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");

/** PgBouncer, for tests with a connection pooler. */
export const ensurePgbouncer = () => ensureFile("pgbouncer", "/usr/sbin/pgbouncer");

/** promtool, for tests of `deploy/alerts.yaml`. */
export const ensurePromtool = () => ensureFile("prometheus", "/usr/bin/promtool");

/** openssl, for certificates of tests. */
export const ensureOpenssl = () => ensureFile("openssl", "/usr/bin/openssl");

/** age, for tests that decrypt backups with it. */
export const ensureAge = () => ensureFile("age", "/usr/bin/age");
