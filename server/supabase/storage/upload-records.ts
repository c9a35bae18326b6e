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
}

const COLUMNS = `id, bucket_id, name, size, upsert, metadata, caller, finished_at,
  (extract(epoch from now() - created_at) * 1000)::float8 as age`;

type Aged = Omit<UploadRecord, "created_at"> & { age: number };
const withTime = ({ age, ...record }: Aged): UploadRecord => ({
  ...record,
  created_at: new Date(Date.now() - age),
});

/** The table of resumable uploads, which all processes share. */
export const uploadRecords = (db: Database) => ({
  async add(record: Omit<UploadRecord, "created_at" | "finished_at">): Promise<void> {
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

/** Whether the upload belongs to the caller. Others get the same error as for a missing upload. */
export const ownedBy = (caller: Caller, record: UploadRecord | undefined): record is UploadRecord =>
  record !== undefined &&
  record.caller.role === caller.role &&
  record.caller.sub === caller.sub &&
  // Callers without an id are distinguished by their token's other claims.
  (caller.sub !== undefined || isDeepStrictEqual(lastingClaims(record.caller), lastingClaims(caller)));
