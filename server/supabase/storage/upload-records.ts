import { isDeepStrictEqual } from "node:util";
import { Upload } from "@tus/server";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { lastingClaims } from "./signed-url.ts";

/** The stored record of a resumable upload, kept for a day. */
export interface UploadRecord {
  id: string;
  bucket_id: string;
  name: string;
  size: number;
  upsert: boolean;
  metadata: Record<string, string | null>;
  caller: Caller;
  /** By the clock of this process, which may differ from the database's. */
  created_at: Date;
  finished_at: Date | null;
  /** The last request that wrote bytes, to the minute, by the same clock as `created_at`. */
  active_at: Date;
  /** Whether storage is reserved for it. */
  is_held: boolean;
}

const COLUMNS = `id, bucket_id, name, size, upsert, metadata, caller, finished_at,
  account is not null as is_held,
  (extract(epoch from now() - created_at) * 1000)::float8 as age,
  (extract(epoch from now() - active_at) * 1000)::float8 as idle`;

type Aged = Omit<UploadRecord, "created_at" | "active_at"> & { age: number; idle: number };
const withTime = ({ age, idle, ...record }: Aged): UploadRecord => ({
  ...record,
  created_at: new Date(Date.now() - age),
  active_at: new Date(Date.now() - idle),
});

/** The time in milliseconds after which another request is written to `active_at`. */
const ACTIVE_MS = 60_000;

/** The table of resumable uploads, which all processes share. */
export const uploadRecords = (db: Database) => ({
  async add(record: Omit<UploadRecord, "created_at" | "finished_at" | "active_at" | "is_held">): Promise<void> {
    await db.query(
      `insert into storage.uploads (id, bucket_id, name, size, upsert, metadata, caller) values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        record.id,
        record.bucket_id,
        record.name,
        record.size,
        record.upsert,
        JSON.stringify(record.metadata),
        JSON.stringify(record.caller),
      ],
    );
  },
  async find(id: string): Promise<UploadRecord | undefined> {
    const { rows } = await db.query<Aged>(`select ${COLUMNS} from storage.uploads where id = $1`, [id]);
    return rows.map(withTime)[0];
  },
  /**
   * Continues an upload with the claims of its present request: those of an earlier one may have become invalid. Reserves
   * its storage again if that was released; rejects if there is no room.
   */
  async resume(record: UploadRecord, caller: Caller): Promise<UploadRecord> {
    const isRecent = record.active_at.getTime() > Date.now() - ACTIVE_MS;
    if (isRecent && record.is_held && isDeepStrictEqual(lastingClaims(record.caller), lastingClaims(caller)))
      return record;
    await db.query("update storage.uploads set active_at = now(), caller = $2 where id = $1 and finished_at is null", [
      record.id,
      JSON.stringify(caller),
    ]);
    return { ...record, caller };
  },
  async forget(id: string): Promise<void> {
    await db.query("delete from storage.uploads where id = $1", [id]);
  },
  async unfinished(): Promise<UploadRecord[]> {
    const { rows } = await db.query<Aged>(
      `select ${COLUMNS} from storage.uploads where finished_at is null order by created_at`,
    );
    return rows.map(withTime);
  },
  /** Resolves to the unfinished uploads of this object name. */
  async unfinishedOf(bucketId: string, name: string): Promise<UploadRecord[]> {
    const { rows } = await db.query<Aged>(
      `select ${COLUMNS} from storage.uploads where bucket_id = $1 and name = $2 and finished_at is null`,
      [bucketId, name],
    );
    return rows.map(withTime);
  },
  /** Deletes finished uploads that began before `before`; their objects do not need them. */
  async forgetFinished(before: Date): Promise<void> {
    await db.query("delete from storage.uploads where finished_at is not null and created_at < $1", [before]);
  },
});

export type UploadRecords = ReturnType<typeof uploadRecords>;

/** Returns a record in the format of the tus server. */
export const asUpload = (record: UploadRecord, offset: number): Upload =>
  new Upload({
    id: record.id,
    size: record.size,
    offset,
    metadata: record.metadata,
    creation_date: record.created_at.toISOString(),
  });

/**
 * Returns what identifies a caller without an id: their claims without versions. The version of the link that they came
 * by increases with its settings, and they are still the same caller.
 */
const identityOf = (caller: Caller) =>
  Object.entries(lastingClaims(caller)).map(([claim, value]) =>
    typeof value === "object" && value !== null ? [claim, { ...value, version: undefined }] : [claim, value],
  );

/** Whether the upload belongs to the caller. Others get the same error as for a missing upload. */
export const ownedBy = (caller: Caller, record: UploadRecord | undefined): record is UploadRecord =>
  record !== undefined &&
  record.caller.role === caller.role &&
  record.caller.sub === caller.sub &&
  (caller.sub !== undefined || isDeepStrictEqual(identityOf(record.caller), identityOf(caller)));
