import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Source } from "../../server/backup/backup.ts";
import { findBackups, readManifest } from "../../server/backup/manifest.ts";
import { restoreBackup } from "../../server/backup/restore.ts";
import type { Vault } from "../../server/backup/vault.ts";
import { migrationSets } from "../../server/database/migrate.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { openFiles } from "../../server/files/files.ts";
import { openRootKeys } from "../../server/settings/secrets.ts";
import { atEnd } from "./at-end.ts";
import { databaseUrlWithoutSchema } from "./database.ts";
import type { TestServer } from "./server.ts";
import { jpeg } from "./uploads.ts";

const sets = migrationSets(new URL("../..", import.meta.url).pathname);

export const PASSPHRASE = "four words and a number 7";
/** A cheap key derivation; the default takes seconds of processor time. */
export const workFactor = 10;

export const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
export const photo = async (tail = 3000) => Buffer.concat([await jpeg(), randomBytes(tail)]);

/** A folder that is removed after the test or the file. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skies-backup-test-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A server as the source of a backup. */
export const sourceOf = async ({
  db,
  files,
  dataDir,
}: Pick<TestServer, "db" | "files" | "dataDir">): Promise<Source> => ({
  databaseUrl: db.url,
  objects: files.objects,
  rootKeys: await openRootKeys({ dataDir }),
});

/** A new installation, and a function that restores the newest backup into it. */
export async function emptyInstallation() {
  const [url, dataDir] = [await databaseUrlWithoutSchema(), await freshFolder()];
  const files = await openFiles(join(dataDir, "storage"));
  const { objects, parts } = files;
  const restore = async (vault: Vault) => {
    const newest = (await findBackups(vault)).whole.at(-1) ?? "";
    return restoreBackup({ databaseUrl: url, objects, parts, dataDir, sets }, vault, await readManifest(vault, newest));
  };
  return { url, dataDir, files, restore, open: () => openPostgres(url) };
}
