import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { inOrder } from "../threads/queue.ts";
import { AT_ONCE, isIntact } from "./backup.ts";
import { type Manifest, measuring, objectsOf, readManifest, rowsName } from "./manifest.ts";
import { BackupError } from "./place.ts";
import type { Vault } from "./vault.ts";

export interface Verification {
  rows: number;
  objects: number;
  bytes: number;
  /** One sentence for each problem. */
  wrong: string[];
  /** Problems of the installation when the backup was made. */
  warnings: string[];
}

/** Reads all of a backup: every row is counted, and every byte compared with its checksum. */
export async function verifyBackup(vault: Vault, id: string): Promise<Verification> {
  const verification: Verification = { rows: 0, objects: 0, bytes: 0, wrong: [], warnings: [] };
  let manifest: Manifest;
  try {
    manifest = await readManifest(vault, id);
  } catch (error) {
    return { ...verification, wrong: [messageOf(error)] };
  }
  const check = async (table: Manifest["tables"][number]) => ({ table, reason: await checkTable(vault, id, table) });
  for await (const { table, reason } of inOrder(manifest.tables, AT_ONCE, check)) {
    if (reason) verification.wrong.push(reason);
    else verification.rows += table.rows;
  }
  const results = new Map<string, boolean>();
  try {
    for await (const { bucket, version, size, sha256 } of objectsOf(vault, manifest)) {
      const name = vault.objectName(sha256);
      // Several objects may have the same bytes.
      if (!results.has(sha256)) results.set(sha256, await isIntact(vault, name, sha256));
      if (!results.get(sha256)) {
        const isThere = (await vault.size(name)) !== undefined;
        verification.wrong.push(
          `The bytes of the object ${bucket}/${version} are ${isThere ? "damaged" : "missing"} (${name}).`,
        );
        continue;
      }
      verification.objects += 1;
      verification.bytes += size;
    }
  } catch (error) {
    verification.wrong.push(messageOf(error));
  }
  verification.warnings = manifest.unreadable.map(
    (name) => `The bytes of ${name} were missing or damaged when the backup was made.`,
  );
  return verification;
}

async function checkTable(vault: Vault, id: string, table: Manifest["tables"][number]): Promise<string | undefined> {
  const measured = measuring(table.bytes);
  let rows = 0;
  measured.stream.on("data", (chunk: Buffer) => {
    // One line per row: in the text format of COPY, a line break within a value is \n.
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
  });
  try {
    await pipeline(await vault.read(rowsName(id, table)), createGunzip(), measured.stream);
  } catch {
    return `The rows of the table ${table.name} are missing or damaged.`;
  }
  if (rows !== table.rows) return `The table ${table.name} had ${table.rows} rows, and ${rows} are in the backup.`;
  if (measured.sha256() !== table.sha256) return `The rows of the table ${table.name} are not those that were saved.`;
}

function messageOf(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  throw error;
}
