import { BYTES_ARE_KEPT } from "../../database/copy-rows.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { BytesKey } from "../../files/object-store.ts";
import type { Resumable } from "./open-resumable.ts";
import { UPLOAD_LIFE_MS } from "./part-store.ts";

/** Age in ms up to which bytes without a row may belong to an upload in progress. */
const STRAY_AFTER_MS = 6 * 60 * 60 * 1000;
/** Time in ms without growth after which a part without an upload is complete or abandoned. */
const STRAY_PART_AFTER_MS = 60 * 60 * 1000;

const BATCH = 500;

function* chunks<T>(items: T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The dependencies of the sweep's steps. Several processes may run a step at once, and repeatedly. */
export interface SweepDeps {
  db: Database;
  files: Files;
  resumable: Resumable;
  log: { warn(fields: object, message: string): void };
}

/** Finalises uploads whose last byte arrived but whose row was not written, as their caller. */
export async function finishUploads({ resumable, log }: SweepDeps): Promise<void> {
  for (const { id } of await resumable.records.unfinished()) {
    await resumable.complete(id).catch((err: unknown) => log.warn({ err }, "An upload was not finished"));
  }
}

/** Removes bytes and copies of deleted rows, except those whose row was restored and those that a backup needs. */
export async function removeDiscarded({ db, files }: SweepDeps): Promise<void> {
  const { rows } = await db.query<{ version: string; bucket_id: string }>(
    `select version, bucket_id from storage.discarded d
     where not exists (select from storage.objects o where o.version = d.version) and not ${BYTES_ARE_KEPT}`,
  );
  for (const batch of chunks(rows, BATCH)) {
    await files.objects.remove(batch.map(({ version, bucket_id: bucket }) => ({ bucket, version })));
    for (const { version } of batch) await files.copies.remove(version);
    await db.query("delete from storage.discarded where version = any ($1)", [batch.map(({ version }) => version)]);
  }
}

/** Removes old bytes without a row, left by a process that was killed before it wrote the row, and their copies. */
export async function removeStrays({ db, files }: Pick<SweepDeps, "db" | "files">, now = Date.now()): Promise<void> {
  const before = new Date(now - STRAY_AFTER_MS);
  const batch: BytesKey[] = [];
  const removeUnnamed = async () => {
    const named = await namedVersions(
      db,
      batch.map((key) => key.version),
    );
    await files.objects.remove(batch.splice(0).filter((key) => !named.has(key.version)));
  };
  for await (const key of files.objects.keys(before)) {
    if (batch.push(key) === BATCH) await removeUnnamed();
  }
  await removeUnnamed();

  for (const copied of chunks(await files.copies.versions(), BATCH)) {
    const known = await namedVersions(db, copied);
    for (const version of copied) if (!known.has(version)) await files.copies.remove(version);
  }
}

/** Removes uploads unfinished after a day, and parts without an upload. */
export async function removeOldUploads({ files, resumable }: Pick<SweepDeps, "files" | "resumable">): Promise<void> {
  const before = new Date(Date.now() - UPLOAD_LIFE_MS);
  const strayBefore = new Date(Date.now() - STRAY_PART_AFTER_MS);
  await resumable.records.forgetFinished(before);
  const waiting = await resumable.records.unfinished();
  for (const { id, created_at } of waiting) if (created_at < before) await resumable.store.remove(id);
  const known = new Set(waiting.map(({ id }) => id));
  await files.incoming.removeStrays(known, strayBefore);
}

/** Resolves to the versions that a row or an unfinished upload names; to all of them while a backup copies bytes. */
async function namedVersions(db: Database, versions: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ version: string }>(
    `select version from storage.objects where version = any ($1)
     union select id from storage.uploads where id = any ($1) and finished_at is null
     union select v from unnest($1::text[]) v where ${BYTES_ARE_KEPT}`,
    [versions],
  );
  return new Set(rows.map(({ version }) => version));
}
