import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate, migrationSets } from "../../server/database/migrate.ts";
import { wrapPglite } from "../../server/database/pglite.ts";
import { openPostgres } from "../../server/database/postgres.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Migrates once for the whole run; each test file starts from a copy. TEST_DATABASE_URL chooses PostgreSQL. */
export default async function setup(project: TestProject) {
  const url = process.env.TEST_DATABASE_URL ?? "";
  project.provide("postgresUrl", url);
  const file = join(root, ".cache", "pglite-template.tar");
  project.provide("pgliteTemplate", file);
  if (url) return migratePostgresTemplate(url);
  const pglite = await PGlite.create({ loadDataDir: await dataDir() });
  await migrate(
    wrapPglite(pglite, async () => {}),
    migrationSets(root),
  );
  const dump = await pglite.dumpDataDir("none");
  await mkdir(join(root, ".cache"), { recursive: true });
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  await pglite.close();
}

async function migratePostgresTemplate(url: string) {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query("drop database if exists skies_template with (force)");
  await admin.query("create database skies_template");
  await admin.end();
  const template = new URL(url);
  template.pathname = "/skies_template";
  const db = await openPostgres(template.href);
  await migrate(db, migrationSets(root));
  await db.close();
}
