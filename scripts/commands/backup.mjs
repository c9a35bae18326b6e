import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeBackup } from "../../server/backup/backup.ts";
import { findBackups, readManifest } from "../../server/backup/manifest.ts";
import { cancelMove, moveInstallation } from "../../server/backup/move.ts";
import { BackupError, openPlace } from "../../server/backup/place.ts";
import { restoreBackup } from "../../server/backup/restore.ts";
import { openVault } from "../../server/backup/vault.ts";
import { verifyBackup } from "../../server/backup/verify.ts";
import { reachDatabase } from "../../server/database/connect.ts";
import { migrationSets } from "../../server/database/migrate.ts";
import { openFiles } from "../../server/files/files.ts";
import { packageRoot } from "../../server/package-root.ts";
import * as secrets from "../../server/settings/secrets.ts";
import { readEnvironment, readSettings } from "../../server/settings/settings.ts";

const { environment, fileSettings, s3, backupS3 } = readInstallation();
const dataDir = environment.DATA_DIR ?? "./data";
const url = environment.DATABASE_DIRECT_URL ?? environment.DATABASE_URL;
const secretKey = environment.SECRET_KEY;
const passphrase = environment.BACKUP_PASSPHRASE;

/** The settings of the installation, as the server reads them, or the end of the process with what is wrong. */
function readInstallation() {
  try {
    const environment = readEnvironment(process.env);
    const ofStores = Object.entries(environment).filter(([name]) => /^(?:BACKUP_)?S3_/.test(name));
    const { s3, backupS3 } = readSettings(Object.fromEntries(ofStores));
    return { environment, fileSettings: ofStores.filter(([name]) => name.startsWith("S3_")), s3, backupS3 };
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exit(1);
  }
}

const { positionals, values: options } = readArguments({
  options: {
    "keep-days": { type: "string" },
    check: { type: "boolean" },
    "skip-damaged": { type: "boolean" },
    to: { type: "string" },
    objects: { type: "string" },
    cancel: { type: "boolean" },
  },
});
const [command = "", ...places] = positionals;
const [to = "", id] = options.to === undefined ? places : [options.to, ...places];

/**
 * @template {NonNullable<import("node:util").ParseArgsConfig["options"]>} const Options
 * @param {{ options: Options }} known
 */
function readArguments({ options }) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exit(1);
  }
}

/** @param {number} count @param {string} one */
const many = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

/** @param {string} to A folder, or s3://bucket/prefix. */
const placeOf = (to) => openPlace({ to, service: backupS3, files: s3 });

/** The installation of the settings. */
async function openSource() {
  if (!secretKey && !existsSync(secrets.rootKeyPath(dataDir))) {
    throw new BackupError(
      `${dataDir} is not the folder of a server. Set DATA_DIR, or SECRET_KEY, as the server has it.`,
    );
  }
  const rootKeys = await secrets.openRootKeys({ dataDir, ...(secretKey && { secretKey }) });
  const { objects } = await openFiles(join(dataDir, "storage"), s3);
  const { url: databaseUrl, close } = await reachDatabase({ databaseUrl: url, dataDir });
  return { databaseUrl, objects, rootKeys, close };
}

/**
 * The target bucket of a move: from the settings MOVE_S3_…, otherwise from those of the files.
 * @param {string} to
 */
function bucketAt(to) {
  const [, bucket] = to.match(/^s3:\/\/([^/]+)\/?$/) ?? [];
  if (!bucket) throw new BackupError(`${to} names no bucket: files lie at the top of one. Write s3://bucket.`);
  const named = Object.entries(process.env).filter(([name]) => name.startsWith("MOVE_S3_"));
  const service = named.length > 0 ? named.map(([name, value]) => [name.slice("MOVE_".length), value]) : fileSettings;
  try {
    const { s3 } = readSettings({ ...Object.fromEntries(service), S3_BUCKET: bucket });
    return s3 && { ...s3, prefix: "MOVE_S3_" };
  } catch (error) {
    throw new BackupError(/** @type {Error} */ (error).message.replaceAll(/\bS3_/g, "MOVE_S3_"));
  }
}

/** @type {Record<string, { usage: string, run: (to: string) => Promise<string> }>} */
const commands = {
  backup: {
    usage: "npm run backup -- PLACE [--keep-days=30] [--check]",
    async run(to) {
      const days = options["keep-days"];
      if (days !== undefined && !/^\d+$/.test(days)) throw new BackupError("--keep-days takes a number of days.");
      const vault = await openVault(await placeOf(to), { passphrase, create: true });
      const { close, ...source } = await openSource();
      const keepDays = days ? Number(days) : undefined;
      const made = await makeBackup(source, vault, { check: options.check ?? false, keepDays }).finally(close);
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
    usage: "npm run verify -- PLACE [BACKUP]",
    async run(to) {
      const vault = await openVault(await placeOf(to), { passphrase });
      const chosen = await choose(vault);
      const { rows, objects, wrong, warnings } = await verifyBackup(vault, chosen);
      for (const line of [...warnings, ...wrong]) console.warn(line);
      if (wrong.length > 0) throw new BackupError(`Backup ${chosen}: ${many(wrong.length, "problem")}.`);
      return `Backup ${chosen} is whole: ${many(rows, "row")}, ${many(objects, "file")}.`;
    },
  },
  restore: {
    usage: "npm run restore -- PLACE [BACKUP] [--skip-damaged]",
    async run(to) {
      const vault = await openVault(await placeOf(to), { passphrase });
      const manifest = await readManifest(vault, await choose(vault));
      const { objects, parts } = await openFiles(join(dataDir, "storage"), s3);
      const database = await reachDatabase({ databaseUrl: url, dataDir });
      const target = {
        databaseUrl: database.url,
        objects,
        parts,
        dataDir,
        secretKey,
        sets: migrationSets(packageRoot()),
      };
      const skipDamaged = options["skip-damaged"] ?? false;
      const skipped = await restoreBackup(target, vault, manifest, { skipDamaged }).finally(() => database.close());
      for (const name of skipped) console.warn(`The object ${name} is left out: its bytes are missing or damaged.`);
      return `Backup ${manifest.id} is restored. Start the server: people sign in as before.`;
    },
  },
  move: {
    usage: "npm run move -- --to postgres://…|FOLDER [--objects s3://BUCKET|FOLDER], or npm run move -- --cancel",
    async run(to) {
      const { close, ...source } = await openSource();
      try {
        if (options.cancel) {
          await cancelMove(source.databaseUrl);
          return "This installation can be changed again. What is written to it is not in the new one.";
        }
        return await move(source, to, options.objects ?? to);
      } finally {
        await close();
      }
    },
  },
};

/**
 * @param {import("../../server/backup/backup.ts").Source} source
 * @param {string} rowsTo An address of PostgreSQL, or the DATA_DIR of an installation that has its own.
 * @param {string} filesTo A bucket, or a DATA_DIR.
 */
async function move(source, rowsTo, filesTo) {
  const [isUrl, isBucket] = [/^postgres(ql)?:/.test(rowsTo), filesTo.startsWith("s3://")];
  if (/^postgres(ql)?:/.test(filesTo))
    throw new BackupError("Say by --objects where the files go: s3://bucket, or a folder.");
  const newDataDir = isUrl ? (isBucket ? undefined : filesTo) : rowsTo;
  const scratch = isBucket ? await mkdtemp(join(tmpdir(), "skies-move-")) : undefined;
  const files = await openFiles(join(scratch ?? filesTo, "storage"), isBucket ? bucketAt(filesTo) : undefined);
  const database = await reachDatabase(isUrl ? { databaseUrl: rowsTo, dataDir: "" } : { dataDir: rowsTo });
  const { objects, parts } = files;
  const target = { databaseUrl: database.url, objects, parts, dataDir: newDataDir, sets: migrationSets(packageRoot()) };
  console.log("Copying files. The installation is used meanwhile.");
  try {
    const moved = await moveInstallation(source, target, {
      onReadOnly: () => console.log("Copying rows. From now on the installation answers reads only."),
    });
    for (const name of moved.unreadable)
      console.warn(`The bytes of ${name} are missing or damaged here, and there too.`);
    const key = newDataDir
      ? ""
      : ` and the same SECRET_KEY (${secretKey ? "as here" : `the text in ${secrets.rootKeyPath(dataDir)}`})`;
    return `Moved ${many(moved.rows, "row")} and ${many(moved.objects, "file")}, each compared. Stop this installation, which answers reads only, and start servers with ${[
      newDataDir && `DATA_DIR=${newDataDir}`,
      isUrl && "the new DATABASE_URL",
      isBucket && `S3_BUCKET=${filesTo.slice("s3://".length)}`,
    ]
      .filter(Boolean)
      .join(", ")}${key}.`;
  } finally {
    await database.close();
    files.close();
    if (scratch) await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * The named backup, otherwise the newest.
 * @param {import("../../server/backup/vault.ts").Vault} vault
 */
async function choose(vault) {
  const { whole } = await findBackups(vault);
  const chosen = id ?? whole.at(-1);
  if (!chosen) throw new BackupError("There is no finished backup in this place.");
  if (!whole.includes(chosen)) throw new BackupError(`There is no backup ${chosen}. There are: ${whole.join(", ")}.`);
  return chosen;
}

const { usage, run } = commands[command] ?? { usage: "npm run backup|verify|restore|move", run: undefined };
try {
  if (!run || !(to || options.cancel)) throw new BackupError(usage);
  console.log(await run(to));
} catch (error) {
  // Errors that the administrator can solve are complete sentences.
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
