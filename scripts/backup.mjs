import { existsSync } from "node:fs";
import { join } from "node:path";
import { ready } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";

await ready();
const { register } = await import("tsx/esm/api");
register();
const secrets = await import("../server/settings/secrets.ts");
const { reachDatabase } = await import("../server/database/connect.ts");
const { migrationSets } = await import("../server/database/migrate.ts");
const { openFiles } = await import("../server/files/files.ts");
const { readSettings } = await import("../server/settings/settings.ts");
const { makeBackup } = await import("../server/backup/backup.ts");
const { findBackups, readManifest } = await import("../server/backup/manifest.ts");
const { folderPlace } = await import("../server/backup/place.ts");
const { restoreBackup } = await import("../server/backup/restore.ts");
const { BackupError, openVault } = await import("../server/backup/vault.ts");
const { verifyBackup } = await import("../server/backup/verify.ts");

// As the server has it, an empty variable is an unset one.
const dataDir = process.env.DATA_DIR || "./data";
const databaseUrl = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL || undefined;
const secretKey = process.env.SECRET_KEY || undefined;
const passphrase = process.env.BACKUP_PASSPHRASE || undefined;

const { s3 } = readSettings(Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("S3_"))));

const [command = "", ...given] = process.argv.slice(2);
const options = new Set(given.filter((one) => one.startsWith("--")));
const [folder, id] = given.filter((one) => !one.startsWith("--"));

/** @param {number} count @param {string} one */
const many = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

/** @type {Record<string, { usage: string, run: (folder: string) => Promise<string> }>} */
const commands = {
  backup: {
    usage: "npm run backup -- FOLDER [--keep-days=30] [--check]",
    async run(folder) {
      if (!secretKey && !existsSync(secrets.rootKeyPath(dataDir))) {
        throw new BackupError(
          `${dataDir} is not the folder of a server. Set DATA_DIR, or SECRET_KEY, as the server has it.`,
        );
      }
      const days = [...options].flatMap((one) => one.match(/^--keep-days=(\d+)$/)?.[1] ?? [])[0];
      const rootKey = await secrets.openRootKey({ dataDir, ...(secretKey && { secretKey }) });
      const vault = await openVault(folderPlace(folder), { passphrase, create: true });
      const { objects } = await openFiles(join(dataDir, "storage"), s3);
      const database = await reachDatabase({ databaseUrl, dataDir });
      const check = options.has("--check");
      const keepDays = days ? Number(days) : undefined;
      const made = await makeBackup({ databaseUrl: database.url, objects, rootKey }, vault, {
        check,
        keepDays,
      }).finally(() => database.close());
      for (const name of made.unreadable)
        console.warn(`The bytes of ${name} are missing or damaged in the installation.`);
      if (made.removed.length > 0) console.log(`Removed ${many(made.removed.length, "older backup")}.`);
      if (!vault.isEncrypted) {
        console.log(
          `It is not encrypted and does not contain the server's key. Keep ${secretKey ? "SECRET_KEY" : secrets.rootKeyPath(dataDir)} in another place: without it nothing can be restored.`,
        );
      }
      return `Backup ${made.id}: ${many(made.rows, "row")}, ${many(made.objects, "file")} (${many(made.copied, "new one")}).`;
    },
  },
  verify: {
    usage: "npm run verify -- FOLDER [BACKUP]",
    async run(folder) {
      const vault = await openVault(folderPlace(folder), { passphrase });
      const chosen = await choose(vault);
      const { rows, objects, wrong, warnings } = await verifyBackup(vault, chosen);
      for (const line of [...warnings, ...wrong]) console.warn(line);
      if (wrong.length > 0) throw new BackupError(`Backup ${chosen}: ${many(wrong.length, "problem")}.`);
      return `Backup ${chosen} is whole: ${many(rows, "row")}, ${many(objects, "file")}.`;
    },
  },
  restore: {
    usage: "npm run restore -- FOLDER [BACKUP] [--skip-damaged]",
    async run(folder) {
      const vault = await openVault(folderPlace(folder), { passphrase });
      const manifest = await readManifest(vault, await choose(vault));
      const { objects, parts } = await openFiles(join(dataDir, "storage"), s3);
      const database = await reachDatabase({ databaseUrl, dataDir });
      const target = { databaseUrl: database.url, objects, parts, dataDir, secretKey, sets: migrationSets(root) };
      const skipDamaged = options.has("--skip-damaged");
      const skipped = await restoreBackup(target, vault, manifest, { skipDamaged }).finally(() => database.close());
      for (const name of skipped) console.warn(`The object ${name} is left out: its bytes are missing or damaged.`);
      return `Backup ${manifest.id} is restored. Start the server: people sign in as before.`;
    },
  },
};

/**
 * The backup that is named, else the newest.
 * @param {import("../server/backup/vault.ts").Vault} vault
 */
async function choose(vault) {
  const { whole } = await findBackups(vault);
  const chosen = id ?? whole.at(-1);
  if (!chosen) throw new BackupError("There is no finished backup in this folder.");
  if (!whole.includes(chosen)) throw new BackupError(`There is no backup ${chosen}. There are: ${whole.join(", ")}.`);
  return chosen;
}

const { usage, run } = commands[command] ?? { usage: "npm run backup|verify|restore -- FOLDER", run: undefined };
try {
  if (!run || !folder) throw new BackupError(usage);
  console.log(await run(folder));
} catch (error) {
  // Everything that a person can do something about is a sentence.
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
