import { join } from "node:path";
import { isDebian, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

/** The folder of Debian's `age`, unpacked into the cache folder. Tests open encrypted backups with it. */
export async function ensureAge() {
  if (!isDebian()) throw new Error("The tests of encrypted backups need Debian's package of age.");
  return join(await unpackDebianPackages(["age"], join(root, ".cache/age")), "usr/bin");
}
