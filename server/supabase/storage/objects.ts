import { randomUUID } from "node:crypto";
import type { PhotoEdit } from "../../../shared/photo-edit.ts";
import { asCaller, type Caller, queryAsCaller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { bucketNotFound, notFound, StorageError } from "./storage-error.ts";

export interface Bucket {
  id: string;
  /** The limit in bytes; null for no limit. */
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
}

/** The metadata of an object's bytes, under the hosted platform's names. */
export interface Facts {
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: 200;
  /** Pixels of a picture or video, as seen upright. */
  width?: number;
  height?: number;
  /** The duration of a video, in seconds. */
  duration?: number;
  /** The recording time of a video, by its camera's clock. */
  recorded?: string;
  /** Identifies the photo that a video belongs to. */
  contentIdentifier?: string;
  /** Digests of the original: SHA-256 in hex, CRC-32 as an unsigned number. Absent for objects stored before these. */
  sha256?: string;
  crc32?: number;
}

/** A caller's access to an object: its original bytes, a copy without metadata, or only viewing. */
export type Access = "original" | "copy" | "view";

export interface StoredObject {
  id: string;
  bucket_id: string;
  name: string;
  owner_id: string | null;
  version: string;
  metadata: Facts;
  user_metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  last_accessed_at: string;
  /** The caller's access. */
  access: Access;
  /** The edit by which its copies are shown. */
  edit: PhotoEdit | null;
}

/** An object's row, to be written as the caller. */
export interface NewObject {
  bucket: string;
  name: string;
  version: string;
  facts: Partial<Facts>;
  userMetadata: Record<string, unknown>;
  /** Whether it may replace an object of the same name. */
  upsert: boolean;
}

/** Resolves to a bucket's limits. They are the server's rules, so row policies do not apply. */
export async function findBucket(db: Database, id: string): Promise<Bucket> {
  const { rows } = await db.read<Bucket>(
    "select id, file_size_limit, allowed_mime_types from storage.buckets where id = $1",
    [id],
  );
  if (!rows[0]) throw bucketNotFound();
  return rows[0];
}

/** Resolves to the object as the caller may see it. Refuses a hidden object as "not found". */
export async function findObject(db: Database, caller: Caller, bucket: string, name: string): Promise<StoredObject> {
  const { body } = await queryAsCaller(
    db,
    caller,
    `select coalesce((
       select (to_jsonb(o) || jsonb_build_object('access', storage.access_to(o), 'edit', storage.edit_of(o)))::text
       from storage.objects o where bucket_id = $1[1] and name = $1[2]
     ), ''), 1::bigint, null::bigint`,
    [bucket, name],
    { readOnly: true, planOnce: true },
  );
  if (body === "") throw notFound();
  return JSON.parse(body);
}

/** The bytes of an object that is shown as the other side of another one. */
export type OtherSide = Pick<StoredObject, "bucket_id" | "version" | "metadata" | "edit">;

/** Resolves to the other side of an object that the caller can see. Refuses one without it as "not found". */
export async function findOtherSide(
  db: Database,
  caller: Caller,
  { bucket_id, name }: StoredObject,
): Promise<OtherSide> {
  const { body } = await queryAsCaller(
    db,
    caller,
    `select coalesce((
       select jsonb_build_object('bucket_id', other.bucket_id, 'version', other.version, 'metadata', other.metadata,
         'edit', storage.edit_of(other))::text
       from storage.objects o, storage.other_side(o) other where o.bucket_id = $1[1] and o.name = $1[2]
     ), ''), 1::bigint, null::bigint`,
    [bucket_id, name],
    { readOnly: true, planOnce: true },
  );
  if (body === "") throw notFound();
  return JSON.parse(body);
}

const ARGUMENTS = "$1[1]::uuid, $1[2], $1[3], $1[4], $1[5], $1[6]::jsonb, $1[7]::jsonb, $1[8]::boolean";
const argumentsOf = (caller: Caller, object: NewObject) => [
  randomUUID(),
  object.bucket,
  object.name,
  caller.sub ?? null,
  object.version,
  JSON.stringify(object.facts),
  JSON.stringify(object.userMetadata),
  String(object.upsert),
];

/** Writes the row as the caller, under the row policies. Resolves to the object's id. */
export async function insertObject(db: Database, caller: Caller, object: NewObject): Promise<string> {
  const { body } = await queryAsCaller(
    db,
    caller,
    `select storage.store_object(${ARGUMENTS})::text, 1::bigint, null::bigint`,
    argumentsOf(caller, object),
  );
  return body;
}

/** Resolves to the id of the object with this version of bytes, whoever may see it; undefined if there is none. */
export async function findStoredId(db: Database, version: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>("select id from storage.objects where version = $1", [version]);
  return rows[0]?.id;
}

/** Rejects as {@link insertObject} would for `size` bytes, without writing. Uses the client's type if it is allowed. */
export async function precheckInsert(
  db: Database,
  caller: Caller,
  bucket: Bucket,
  {
    size,
    type,
    ...object
  }: Pick<NewObject, "name" | "version" | "userMetadata" | "upsert"> & {
    size: number;
    type?: string | null | undefined;
  },
): Promise<void> {
  const allowed = bucket.allowed_mime_types ?? [];
  const mimetype = allowed.find((candidate) => candidate === type) ?? allowed[0] ?? "application/octet-stream";
  await queryAsCaller(
    db,
    caller,
    `select storage.precheck_object(${ARGUMENTS})::text, 1::bigint, null::bigint`,
    argumentsOf(caller, { ...object, bucket: bucket.id, facts: { size, mimetype } }),
  );
}

/** Rejects if the caller may not add an object of this name any more. The policies decide again when it is stored. */
export async function checkUpload(db: Database, caller: Caller, bucket: string, name: string): Promise<void> {
  const { body } = await queryAsCaller(
    db,
    caller,
    "select storage.may_upload($1[1], $1[2])::text, 1::bigint, null::bigint",
    [bucket, name],
    { readOnly: true, planOnce: true },
  );
  if (body !== "true") throw new StorageError(403, "Unauthorized", "This may not be added any more");
}

/** Deletes the objects of these names that the caller may delete. Resolves to the deleted rows as JSON text. */
export async function removeObjects(db: Database, caller: Caller, bucket: string, names: string[]): Promise<string> {
  const { body } = await queryAsCaller(
    db,
    caller,
    `select coalesce(jsonb_agg(to_jsonb(gone) - 'path_tokens'), '[]')::text, count(*), null::bigint
     from storage.remove_objects($1[1], array(select jsonb_array_elements_text($1[2]::jsonb))) gone`,
    [bucket, JSON.stringify(names)],
  );
  return body;
}

/** Renames an object as the caller. In another bucket, the object also gets another version of the bytes. */
export async function renameObject(
  db: Database,
  caller: Caller,
  from: StoredObject,
  to: { bucket: string; name: string; version: string },
): Promise<void> {
  const result = await asCaller(db, caller, (tx) =>
    tx.query(
      "update storage.objects set bucket_id = $2, name = $3, version = $4, updated_at = now() where id = $1 and version = $5",
      [from.id, to.bucket, to.name, to.version, from.version],
    ),
  );
  if (result.changed === 0) throw notFound();
}
