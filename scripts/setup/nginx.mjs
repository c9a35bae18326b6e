import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

const INSTALLED = "/usr/sbin/nginx";
const UNPACKED = join(root, ".cache/nginx");

/** The proxy, as this machine has it, else unpacked into the cache folder. Tests run it with `deploy/nginx.conf`. */
export async function ensureNginx() {
  if (existsSync(INSTALLED)) return { program: INSTALLED, libraries: "" };
  if (!isDebian()) throw new Error("The tests of the proxy need Debian's package of nginx.");
  await unpackDebianPackages(["nginx"], UNPACKED);
  return { program: join(UNPACKED, INSTALLED), libraries: librariesIn(UNPACKED) };
}
