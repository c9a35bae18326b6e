import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { PGlite, types } from "@electric-sql/pglite";
import { dataDir as preparedFolder } from "@electric-sql/pglite-prepopulatedfs";
import { countChanges } from "./changes.ts";
import type { Database, Rows, Transaction } from "./database.ts";
import { lockFolder } from "./folder-lock.ts";

const parsers = {
  // A date of birth must never pass through a time zone.
  [types.DATE]: (value: string) => value,
  [types.INT8]: Number,
};
/** From here on PostgreSQL numbers what an installation adds: rows of its catalogue and of our tables, and arrays of rows. */
const FIRST_ADDED_TYPE = 10_000;

interface Source {
  query<Row>(text: string, params?: unknown[]): Promise<{ rows: Row[]; affectedRows?: number }>;
  exec(text: string): Promise<unknown>;
}

const asTransaction = (source: Source): Transaction => ({
  async query<Row>(text: string, params: unknown[] = []): Promise<Rows<Row>> {
    const result = await source.query<Row>(text, params);
    return { rows: result.rows, changed: result.affectedRows ?? 0 };
  },
  async exec(text) {
    await source.exec(text);
  },
});

/**
 * First start: unpacks a prepared cluster into a side folder and renames it into place, so that a start
 * interrupted half-way leaves nothing that looks like a database. Faster than initialising one (`npm run bench database`).
 */
async function prepareFolder(folder: string) {
  if (existsSync(join(folder, "PG_VERSION"))) return;
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  const first = await PGlite.create({ dataDir: fresh, loadDataDir: await preparedFolder() });
  await first.close();
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

/** PostgreSQL inside this process, in `folder`; refuses a folder that another process has open. */
export async function openPglite(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  try {
    const cluster = join(folder, "cluster");
    await prepareFolder(cluster);
    return wrapPglite(await PGlite.create(cluster), unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

/**
 * A database in memory, from a dumped data folder where one is given: what tests use. It has little to hold, so it sets
 * little memory aside and writes no log ahead of what it logs, which is a third of the time it takes to open.
 */
export async function openPgliteInMemory(dump?: Blob): Promise<Database> {
  const pglite = await PGlite.create({
    loadDataDir: dump ?? (await preparedFolder()),
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=8MB", "-c", "wal_init_zero=off"],
  });
  return wrapPglite(pglite, async () => {});
}

export function wrapPglite(pglite: PGlite, closed: () => Promise<void>): Database {
  readSimply(pglite);
  return {
    kind: "pglite",
    ...countChanges(asTransaction(pglite), (work) => pglite.transaction((tx) => work(asTransaction(tx)))),
    async listen(channel, heard) {
      const stop = await pglite.listen(channel, heard);
      return () => stop();
    },
    async close() {
      await pglite.close();
      await closed();
    },
  };
}

/**
 * Leaves PGlite the types that our statements yield. It knows hundreds more, of rows that nobody reads as one value, and
 * copies all it knows for every query, which is half of what a small one takes.
 */
function readSimply(pglite: PGlite) {
  for (const known of [pglite.parsers, pglite.serializers]) {
    for (const type of Object.keys(known)) if (Number(type) >= FIRST_ADDED_TYPE) delete known[type];
  }
  Object.assign(pglite.parsers, parsers);
}
