import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { inject } from "vitest";
import type { Database } from "../../server/database/database.ts";
import { openPgliteInMemory } from "../../server/database/pglite.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { atEnd } from "./at-end.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A dumped PGlite folder with every migration applied. */
    pgliteTemplate: string;
    /** A PostgreSQL server's address whose database `skies_template` has every migration applied; empty for PGlite. */
    postgresUrl: string;
  }
}

/** A migrated database of this test file's own, on whichever kind the run is about; closed after the file. */
export async function testDatabase(): Promise<Database> {
  const db = await open();
  atEnd(() => db.close());
  return db;
}

let template: Promise<Blob> | undefined;
/** The template's bytes, read once by a worker and copied for none of its databases. */
const templateInMemory = () => {
  template ??= readFile(inject("pgliteTemplate")).then(({ buffer }) =>
    Object.assign(new Blob([]), { arrayBuffer: async () => buffer }),
  );
  return template;
};

async function open(): Promise<Database> {
  const own = await ownPostgres();
  if (!own) return openPgliteInMemory(await templateInMemory());
  const db = await openPostgres(own.url);
  return {
    ...db,
    async close() {
      await db.close();
      await own.drop();
    },
  };
}

/** A migrated PostgreSQL database of one's own, for servers in processes of theirs; undefined where the run is on PGlite. */
export async function ownPostgres(): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const url = inject("postgresUrl");
  if (!url) return undefined;
  const name = `skies_${randomUUID().replaceAll("-", "")}`;
  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await administer(`create database ${name} template skies_template`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => administer(`drop database ${name} with (force)`) };
}

/** Empties every table of the product and of its accounts, keeping what migrations put there. */
export async function emptyDatabase(db: Database) {
  await db.exec(`
    delete from auth.users;
    delete from storage.objects;
    delete from storage.discarded;
    delete from private.share_attempts;
  `);
}

/** Forgets a set of migrations that a test made up, with the schema of the same name that they made. */
export const emptyOfMigrations = (db: Database, set: string) =>
  db.exec(`drop schema if exists ${set} cascade; delete from migrations.applied where name like '${set}/%'`);
