import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asCaller, queryAsCaller, VISITOR } from "../server/database/as-caller.ts";
import { connect } from "../server/database/connect.ts";
import type { Database } from "../server/database/database.ts";
import { migrate, migrationSets } from "../server/database/migrate.ts";
import { interleave, report, timed } from "./measure.ts";

const root = new URL("..", import.meta.url).pathname;
const ROUNDS = 7;
const QUERIES = 200;

/** Compares the ways in which a request can reach the database. */
export async function bench() {
  const dataDir = await mkdtemp(join(tmpdir(), "skies-bench-"));
  const db = await connect({ dataDir });
  try {
    await prepare(db);
    await compareCalls(db);
  } finally {
    await db.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A table of 2,000 rows whose policy reads the caller's claims and admits half of them. */
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

async function compareCalls(db: Database) {
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
  report(`${QUERIES} reads of 9 rows as a caller`, medians);
}
