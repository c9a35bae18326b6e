import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeBackup, type Source } from "../../server/backup/backup.ts";
import { findBackups } from "../../server/backup/manifest.ts";
import { folderPlace } from "../../server/backup/place.ts";
import { openVault, type Vault } from "../../server/backup/vault.ts";
import { verifyBackup } from "../../server/backup/verify.ts";
import { openFiles } from "../../server/files/files.ts";
import { freshFolder, hashOf, photo, sourceOf } from "../support/backups.ts";
import { fillEveryTable } from "../support/baseline.ts";
import { testDatabase } from "../support/database.ts";

const db = await testDatabase();
let source: Source;
let vault: Vault;
/** The number of objects with bytes. */
let stored = 0;
let day = 0;
const now = () => new Date(Date.UTC(2030, 0, 1 + day));
const SENTENCE =
  /^The database stopped or restarted, .* Make it again: it continues with the files that it has already copied\.$/;

beforeAll(async () => {
  await fillEveryTable(db);
  const dataDir = await freshFolder();
  const files = await openFiles(join(dataDir, "storage"));
  const { rows } = await db.query<{ id: string; version: string; bucket: string }>(
    "select id, version, bucket_id as bucket from storage.objects order by version",
  );
  for (const { id, bucket, version } of rows) {
    const bytes = await photo();
    await writeFile(join(files.parts, version), bytes);
    await files.objects.put({ bucket, version }, join(files.parts, version));
    const facts = JSON.stringify({ sha256: hashOf(bytes), size: bytes.length });
    await db.query("update storage.objects set metadata = $2 where id = $1", [id, facts]);
  }
  stored = rows.length;
  source = await sourceOf({ db, files, dataDir });
  vault = await openVault(folderPlace(await freshFolder()), { create: true });
});

/** Ends the connections of backups, like a database that restarts. */
const restart = () =>
  db.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid in (select pid from pg_locks where locktype = 'advisory' and objid = 7545939)",
  );

test("a backup whose database restarts ends with a sentence, and the next one continues it", async () => {
  expect(stored).toBeGreaterThan(3);
  await makeBackup(source, vault, { now });
  const [first] = (await findBackups(vault)).whole;

  day += 1;
  // While rows are copied.
  await expect(makeBackup(source, vault, { now, onSnapshot: async () => void (await restart()) })).rejects.toThrow(
    SENTENCE,
  );
  // While files are copied: every other one has new bytes, and the last of them is read after the restart.
  const others = await openVault(folderPlace(await freshFolder()), { create: true });
  let reads = 0;
  const objects: Source["objects"] = {
    ...source.objects,
    async read(...key) {
      reads += 1;
      if (reads === stored) await restart();
      return source.objects.read(...key);
    },
  };
  await expect(makeBackup({ ...source, objects }, others, { now })).rejects.toThrow(SENTENCE);
  expect(reads).toBe(stored);

  // The earlier backup is whole, and the others are made again.
  expect((await findBackups(vault)).whole).toEqual([first]);
  expect((await verifyBackup(vault, first ?? "")).wrong).toEqual([]);
  const again = await makeBackup(source, others, { now });
  expect(again.objects).toBe(stored);
  expect(again.copied).toBeLessThan(stored);
  expect((await verifyBackup(others, again.id)).wrong).toEqual([]);
});
