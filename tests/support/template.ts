import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { dataDir as preparedFolder } from "@electric-sql/pglite-prepopulatedfs";
import { migrate, migrationSets } from "../../server/database/migrate.ts";
import { wrapPglite } from "../../server/database/pglite.ts";

const root = new URL("../..", import.meta.url).pathname;
const PGLITE = join(root, "node_modules/@electric-sql/pglite/package.json");
const MIGRATE = join(root, "server/database/migrate.ts");
const FOLDER = join(root, ".cache/templates");

/**
 * A tar file of a PGlite folder with every migration applied. It is made once for these migrations and this PGlite, so
 * that all of a test run's rounds start from one; resolves to its path.
 */
export async function migratedTemplate(): Promise<string> {
  const file = join(FOLDER, `${await contentOf()}.tar`);
  if (existsSync(file)) return file;
  const pglite = await PGlite.create({ loadDataDir: await preparedFolder() });
  await migrate(
    wrapPglite(pglite, async () => {}),
    migrationSets(root),
  );
  // Copied a hundred times, it does without the databases that nobody opens: two fifths of its files.
  await pglite.exec("update pg_database set datistemplate = false");
  for (const unopened of ["template0", "template1"]) await pglite.exec(`drop database ${unopened}`);
  const dump = await pglite.dumpDataDir("none");
  await pglite.close();
  await mkdir(FOLDER, { recursive: true });
  // Those of earlier migrations are of no more use.
  for (const old of await readdir(FOLDER)) if (old.endsWith(".tar")) await rm(join(FOLDER, old), { force: true });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, Buffer.from(await dump.arrayBuffer()));
  await rename(fresh, file);
  return file;
}

/** Gives a server that is still to be started a data folder whose database is migrated already. */
export async function unpackMigrated(dataDir: string): Promise<void> {
  const cluster = join(dataDir, "database/cluster");
  await mkdir(cluster, { recursive: true });
  const tar = spawn("tar", ["--extract", "--file", await migratedTemplate(), "--directory", cluster], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  const [code] = await once(tar, "exit");
  if (code !== 0) throw new Error(`The migrated database could not be unpacked: tar ended with ${code}`);
}

/** What the template depends on, as a short hash. */
async function contentOf(): Promise<string> {
  const folders = migrationSets(root).map(({ folder }) => folder);
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).sort().map((file) => join(folder, file))),
  );
  const hash = createHash("sha256");
  for (const file of [PGLITE, MIGRATE, ...files.flat()]) hash.update(file).update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}
