import { createHash, type Hash } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import type { CopiedTable, Sequence } from "../database/copy-rows.ts";
import { BackupError, contentOf } from "./place.ts";
import type { Vault } from "./vault.ts";

/** The contents of one backup. Written last: a backup without it is unfinished. */
export interface Manifest {
  id: string;
  /** The time of its snapshot. */
  takenAt: string;
  finishedAt: string;
  /** Every migration that had been applied, in the order of application. */
  migrations: { name: string; checksum: string }[];
  tables: (CopiedTable & { rows: number; sha256: string })[];
  sequences: Sequence[];
  /** The number of objects; a separate file lists them. */
  objects: { count: number; bytes: number; sha256: string };
  /** Objects whose bytes were missing or damaged when the backup was made. */
  unreadable: string[];
  /** A fingerprint of the root secret. */
  keyCheck: string;
  /** The root secret in base64; only in an encrypted backup. */
  rootKey?: string;
}

/** The bytes of one object. */
export interface BackupObject {
  bucket: string;
  version: string;
  size: number;
  sha256: string;
}

const FOLDER = "backups";
export const manifestName = (id: string) => `${FOLDER}/${id}/manifest.json`;
export const rowsName = (id: string, { name }: CopiedTable) =>
  `${FOLDER}/${id}/rows/${name.replaceAll('"', "")}.copy.gz`;
export const objectsName = (id: string) => `${FOLDER}/${id}/objects.jsonl.gz`;
export const folderOf = (id: string) => `${FOLDER}/${id}`;

/** Returns a backup's start time, by which the names of backups sort. */
export const timeOf = (id: string): Date => {
  const [, day, hour, minute, second] = id.match(/^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z/) ?? [];
  return new Date(`${day}T${hour}:${minute}:${second}Z`);
};
export const idAt = (time: Date) => `${time.toISOString().replace(/\..*$/, "").replaceAll(":", "")}Z`;

/** The finished and the unfinished backups in a place, oldest first. */
export async function findBackups(vault: Vault): Promise<{ whole: string[]; broken: string[] }> {
  const [all, whole] = [new Set<string>(), new Set<string>()];
  for await (const name of vault.list(FOLDER)) {
    const [, id, file] = name.match(/^backups\/([^/]+)\/(.+)$/) ?? [];
    if (!id) continue;
    all.add(id);
    if (file === "manifest.json") whole.add(id);
  }
  return { whole: [...whole].sort(), broken: [...all].filter((id) => !whole.has(id)).sort() };
}

/** Reads a backup's manifest. Rejects with {@link BackupError} if it is missing or damaged. */
export async function readManifest(vault: Vault, id: string): Promise<Manifest> {
  try {
    return JSON.parse((await contentOf(await vault.read(manifestName(id)))).toString());
  } catch {
    throw new BackupError(`The list of contents of the backup ${id} is missing or damaged.`);
  }
}

/** Creates a stream that hashes and counts the bytes that pass through it. */
export function measuring(): { stream: Transform; sha256(): string; bytes(): number } {
  const hash: Hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, sha256: () => hash.digest("hex"), bytes: () => bytes };
}

/** Yields the objects of a backup. Rejects with {@link BackupError} if their list is damaged. */
export async function* objectsOf(vault: Vault, { id, objects }: Manifest): AsyncGenerator<BackupObject> {
  const damaged = () => new BackupError(`The list of objects of the backup ${id} is missing or damaged.`);
  const measured = measuring();
  const source = await vault.read(objectsName(id)).catch(() => {
    throw damaged();
  });
  // An error of any stream is thrown by the last one.
  pipeline(source, createGunzip(), measured.stream, () => {});
  measured.stream.setEncoding("utf8");
  let count = 0;
  let rest = "";
  try {
    for await (const text of measured.stream as AsyncIterable<string>) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        count += 1;
        yield JSON.parse(line) as BackupObject;
      }
    }
  } catch {
    throw damaged();
  }
  if (count !== objects.count || measured.sha256() !== objects.sha256) throw damaged();
}
