import { join } from "node:path";
import { isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

const UNPACKED = join(root, ".cache/ceph");

/** Unpacks Ceph's programs with its S3 gateway into the cache folder, not into the system. Only tests need them. */
export async function ensureCeph() {
  if (!isDebian()) throw new Error("The tests of S3 need Debian's packages of Ceph.");
  await unpackDebianPackages(["radosgw", "ceph-mon", "ceph-osd"], UNPACKED);
  return { folder: UNPACKED, libraries: librariesIn(UNPACKED) };
}
