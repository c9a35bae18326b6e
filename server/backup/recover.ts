import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { BackupObject } from "./manifest.ts";
import { findBackups, measuring, objectsOf, readManifest } from "./manifest.ts";
import { openPlace } from "./place.ts";
import { isStorageFailure } from "./restore.ts";
import type { ScheduledBackup } from "./scheduled.ts";
import { openVault, type Vault } from "./vault.ts";

/** An object whose bytes are to be copied from the backups. Without a checksum, the backups tell it. */
export interface Recovering extends Pick<BackupObject, "version"> {
  sha256: string | null;
  /** In bytes; null if it is not known. */
  size: number | null;
  /** The file to write, in an existing folder. */
  path: string;
}

/** The checksum of the recovered bytes; undefined if no backup has an intact copy. */
export type Recovered = string | undefined;

/**
 * Copies an object's bytes from the automatic backups into a file, which is durable once this resolves. The file is
 * unfinished unless this resolves to a checksum. Rejects if the backups cannot be read at the moment.
 */
export async function recoverObject(
  { to, service, passphrase, s3 }: Pick<ScheduledBackup, "to" | "service" | "passphrase" | "s3">,
  object: Recovering,
): Promise<Recovered> {
  const vault = await openVault(await openPlace({ to, service, files: s3 }), { passphrase });
  const sha256 = object.sha256 ?? (await checksumOf(vault, object));
  if (sha256 === undefined) return undefined;
  const name = vault.objectName(sha256);
  if ((await vault.size(name)) === undefined) return undefined;
  const measured = measuring();
  try {
    await pipeline(
      await vault.read(name),
      measured.stream,
      createWriteStream(object.path, { mode: 0o600, flush: true }),
    );
  } catch (error) {
    if (isStorageFailure(error)) throw error;
    // Decryption fails for damaged bytes.
    return undefined;
  }
  return measured.sha256() === sha256 && (object.size ?? measured.bytes()) === measured.bytes() ? sha256 : undefined;
}

/** The checksum that the newest backup with a file of this version and length has listed. */
async function checksumOf(vault: Vault, { version, size }: Recovering): Promise<string | undefined> {
  for (const id of (await findBackups(vault)).whole.reverse()) {
    for await (const object of objectsOf(vault, await readManifest(vault, id))) {
      if (object.version === version && (size === null || object.size === size)) return object.sha256;
    }
  }
  return undefined;
}
