import { createHash, type Hash } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import type { CopiedTable } from "../database/copy-rows.ts";
import { BackupError, contentOf } from "./place.ts";
import type { Vault } from "./vault.ts";

/** Part of a path: a bucket, a version or the id of a backup. It never leaves its folder. */
const Name = z.string().regex(/^(?!\.+$)[^/\\\p{Cc}]{1,200}$/u);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A number of rows, objects or bytes. */
const Count = z.int().nonnegative();

/** The contents of one backup. Written last: a backup without it is unfinished. */
const Manifest = z.object({
  id: Name,
  /** The time of its snapshot. */
  takenAt: z.string(),
  finishedAt: z.string(),
  /** Every migration that had been applied, in the order of application. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(
    z.object({
      // A schema and a table; each is quoted if necessary.
      name: z.string().regex(/^[\w".]{1,200}$/),
      columns: z.array(z.string()),
      rows: Count,
      sha256: Sha256,
      /** The bytes of its rows, not compressed. Earlier versions did not record them. */
      bytes: Count.optional(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
  /** The number of objects; a separate file lists them. */
  objects: z.object({ count: Count, bytes: Count, sha256: Sha256 }),
  /** Objects whose bytes were missing or damaged when the backup was made. */
  unreadable: z.array(z.string()),
  /** A fingerprint of the root secret. */
  keyCheck: z.string(),
  /** The root secret in base64; only in an encrypted backup. */
  rootKey: z.string().optional(),
});
export type Manifest = z.infer<typeof Manifest>;

/** The bytes of one object. */
const BackupObject = z.object({ bucket: Name, version: Name, size: Count, sha256: Sha256 });
export type BackupObject = z.infer<typeof BackupObject>;

/** Upper limits in bytes: of the manifest, which names each unreadable object, and of an object's line in their list. */
const MANIFEST_BYTES = 64 * 1024 * 1024;
const LINE_BYTES = 4096;

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
    const content = await contentOf(await vault.read(manifestName(id)), MANIFEST_BYTES);
    const manifest = Manifest.parse(JSON.parse(content.toString()));
    if (manifest.id === id) return manifest;
  } catch {
    // The same as for a manifest of another backup.
  }
  throw new BackupError(`The list of contents of the backup ${id} is missing or damaged.`);
}

/** Creates a stream that hashes and counts the bytes that pass through it. It fails after more than `most` bytes. */
export function measuring(most = Number.POSITIVE_INFINITY): { stream: Transform; sha256(): string; bytes(): number } {
  const hash: Hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > most) done(new BackupError("A file of the backup is larger than it declares."));
      else done(null, chunk);
    },
  });
  return { stream, sha256: () => hash.digest("hex"), bytes: () => bytes };
}

/** Yields the objects of a backup. Rejects with {@link BackupError} if their list is damaged. */
export async function* objectsOf(vault: Vault, { id, objects }: Manifest): AsyncGenerator<BackupObject> {
  const damaged = () => new BackupError(`The list of objects of the backup ${id} is missing or damaged.`);
  const measured = measuring(objects.count * LINE_BYTES);
  const source = await vault.read(objectsName(id)).catch(() => {
    throw damaged();
  });
  // An error of any stream is thrown by the last one.
  pipeline(source, createGunzip(), measured.stream, () => {});
  measured.stream.setEncoding("utf8");
  let count = 0;
  let bytes = 0;
  let rest = "";
  try {
    for await (const text of measured.stream as AsyncIterable<string>) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > LINE_BYTES) throw damaged();
      for (const line of lines) {
        count += 1;
        const object = BackupObject.parse(JSON.parse(line));
        bytes += object.size;
        if (count > objects.count || bytes > objects.bytes) throw damaged();
        yield object;
      }
    }
  } catch {
    throw damaged();
  } finally {
    // The consumer may stop, or a line may be damaged.
    source.destroy();
  }
  if (count !== objects.count || measured.sha256() !== objects.sha256) throw damaged();
}
