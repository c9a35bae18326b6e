import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate, migrationSets } from "../../server/database/migrate.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { migratedTemplate } from "./template.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Migrates once for the whole run; each test file starts from a copy. TEST_DATABASE_URL chooses PostgreSQL. */
export default async function setup(project: TestProject) {
  const url = process.env.TEST_DATABASE_URL ?? "";
  project.provide("postgresUrl", url);
  project.provide("pgliteTemplate", url ? "" : await migratedTemplate());
  if (url) await migratePostgresTemplate(url);
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
