import { join } from "node:path";
import { isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

const UNPACKED = join(root, ".cache/pgbouncer");

/** PgBouncer, unpacked into the cache folder. Tests put it before the database; the product runs without. */
export async function ensurePgbouncer() {
  if (!isDebian()) throw new Error("The tests of a pooler need Debian's package of PgBouncer.");
  await unpackDebianPackages(["pgbouncer"], UNPACKED);
  return { program: join(UNPACKED, "usr/sbin/pgbouncer"), libraries: librariesIn(UNPACKED) };
}
