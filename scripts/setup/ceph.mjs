import { join } from "node:path";
import { isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

const UNPACKED = join(root, ".cache/ceph");

/**
 * Ceph's programs with its S3 gateway, unpacked into the cache folder; never installed into the system. Tests store
 * objects in it; the product runs without.
 */
export async function ensureCeph() {
  if (!isDebian()) throw new Error("The tests of S3 need Debian's packages of Ceph.");
  await unpackDebianPackages(["radosgw", "ceph-mon", "ceph-osd"], UNPACKED);
  return { folder: UNPACKED, libraries: librariesIn(UNPACKED) };
}
