import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { asCaller, queryAsCaller, VISITOR } from "../server/database/as-caller.ts";
import type { Database } from "../server/database/database.ts";
import { migrate, migrationSets } from "../server/database/migrate.ts";
import { openPglite } from "../server/database/pglite.ts";
import { openPostgres } from "../server/database/postgres.ts";
import { interleave, report, timed } from "./measure.ts";
import { compareThreads } from "./threads.ts";

const root = new URL("..", import.meta.url).pathname;
const ROUNDS = 7;
const QUERIES = 200;

/** What a request costs by how it reaches the database, and what a first start costs by how the folder is made. */
export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "skies-bench-"));
  try {
    const folders: [string, string] = [join(folder, "one"), join(folder, "other")];
    for (const each of folders) {
      const db = await openPglite(each);
      await prepare(db);
      if (each === folders[0]) await compareCalls("PGlite", db);
      await db.close();
    }
    await compareThreads(folders, ROUNDS);
    await comparePostgres();
    await compareFirstStarts(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A table under a row policy that reads the caller's claims, with 2,000 rows of which half may be seen. */
async function prepare(db: Database) {
  await migrate(db, migrationSets(root));
  await db.exec(`
    create table bench_rows (id integer primary key, owner text, title text);
    insert into bench_rows select n, case n % 2 when 0 then 'anon' else 'other' end, repeat('x', 60)
      from generate_series(1, 2000) n;
    alter table bench_rows enable row level security;
    grant select on bench_rows to anon;
    create policy "own" on bench_rows for select to anon using (owner = (select auth.role()));
    analyze bench_rows;
  `);
}

const READ = `select coalesce(json_agg(r.*), '[]')::text as body, count(*) as page, null::bigint as total
  from (select id, title from bench_rows where id < `;

async function compareCalls(name: string, db: Database) {
  const repeat = (work: () => Promise<unknown>) =>
    timed(async () => {
      for (let n = 0; n < QUERIES; n += 1) await work();
    });
  const medians = await interleave(
    {
      "role, claims, statement separately": repeat(() =>
        asCaller(db, VISITOR, (tx) => tx.query(`${READ} $1::int) r`, ["20"])),
      ),
      "in one round trip": repeat(() => queryAsCaller(db, VISITOR, `${READ} $1[1]::int) r`, ["20"])),
    },
    ROUNDS,
  );
  report(`${name}: ${QUERIES} reads of 9 rows as a caller`, medians);
}

async function comparePostgres() {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) {
    console.log("\nPostgreSQL: not measured; set TEST_DATABASE_URL to measure it too");
    return;
  }
  const name = `skies_bench_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  try {
    const db = await openPostgres(own.href);
    await prepare(db);
    await compareCalls("PostgreSQL", db);
    await db.close();
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

async function compareFirstStarts(folder: string) {
  let made = 0;
  const fresh = () => {
    made += 1;
    return join(folder, `fresh-${made}`);
  };
  const medians = await interleave(
    {
      "initialised by PGlite": timed(async () => (await PGlite.create(fresh())).close()),
      "unpacked from a prepared folder": timed(async () => (await openPglite(fresh())).close()),
    },
    5,
  );
  report("PGlite: a first start", medians);
}
