import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { Resumable } from "./open-resumable.ts";
import { UPLOAD_LIFE_MS } from "./part-store.ts";

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

/** Deletes finished uploads, and unfinished ones with their bytes, after a day. */
export async function removeOldUploads({ resumable }: Pick<SweepDeps, "resumable">, now = Date.now()): Promise<void> {
  const before = new Date(now - UPLOAD_LIFE_MS);
  await resumable.records.forgetFinished(before);
  for (const { id, created_at } of await resumable.records.unfinished()) {
    if (created_at < before) await resumable.store.remove(id);
  }
}
