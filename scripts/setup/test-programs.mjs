import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { run } from "./processes.mjs";
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

/** The release of which `docs/operations.md` speaks. */
const DEBIAN = "trixie";

/** The folder of an empty Debian, for tests that follow the commands of an operator; needs root. */
export async function ensureDebian() {
  const folder = join(root, `.cache/debian-${DEBIAN}`);
  if (existsSync(folder)) return folder;
  const { file, libraries: _ } = await ensureFile("debootstrap", "/usr/sbin/debootstrap");
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  // Unpacked, it does not find its own files by itself.
  const own = file.replace("/usr/sbin/debootstrap", "/usr/share/debootstrap");
  const { code, output } = await run(file, ["--variant=minbase", DEBIAN, fresh, "http://deb.debian.org/debian"], {
    quiet: true,
    env: { ...process.env, DEBOOTSTRAP_DIR: own },
    minutes: 15,
  });
  if (code !== 0) throw new Error(`debootstrap ended with ${code}:\n${output.slice(-2000)}`);
  await rename(fresh, folder);
  return folder;
}
