import type { Readable } from "node:stream";
import { DataStore, ERRORS, type Upload } from "@tus/server";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { from, type Source } from "../../files/uploads/write-part.ts";
import type { Buckets } from "./cached-lookups.ts";
import { finalizeUpload, isFinal } from "./finalize-upload.ts";
import { userMetadataOf } from "./receive.ts";
import { discardBytes } from "./remove-bytes.ts";
import { asUpload, ownedBy, type UploadRecord, type UploadRecords } from "./upload-records.ts";

/** The time in which an unfinished upload may be resumed, in milliseconds. */
export const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000;

interface PartStoreDeps {
  db: Database;
  files: Files;
  buckets: Buckets;
  records: UploadRecords;
}

/**
 * The tus server's store: bytes in files, their metadata in the database. An upload is never reported as complete
 * before its object exists: the last write, and every read of an upload with all bytes, creates the object first, under
 * the upload's lock.
 */
export class PartStore extends DataStore {
  readonly #deps: PartStoreDeps;

  constructor(deps: PartStoreDeps) {
    super();
    this.#deps = deps;
    this.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  }

  /** Begins the upload's bytes. The record was already written at authorisation. */
  override async create(upload: Upload): Promise<Upload> {
    const record = await this.#deps.records.find(upload.id);
    if (!record) throw ERRORS.FILE_NOT_FOUND;
    await this.#deps.files.incoming.begin(keyOf(record));
    return upload;
  }

  override getExpiration(): number {
    return UPLOAD_LIFE_MS;
  }

  override async getUpload(id: string): Promise<Upload> {
    const record = await this.#deps.records.find(id);
    if (!record) throw ERRORS.FILE_NOT_FOUND;
    return this.look(record);
  }

  /** Resolves to the current state of an upload. If it has all bytes, creates its object first. */
  async look(record: UploadRecord): Promise<Upload> {
    if (record.finished_at) return asUpload(record, record.size);
    const offset = await this.#received(record);
    if (offset === undefined) throw ERRORS.FILE_NO_LONGER_EXISTS;
    if (offset === record.size) await this.#finish(record);
    return asUpload(record, offset);
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const record = await this.#deps.records.find(id);
    if (!record) throw ERRORS.FILE_NOT_FOUND;
    return this.receive(record, from(bytes), offset);
  }

  /** Appends bytes at `offset`. Resolves to the new offset; after the last byte, once the object exists. */
  receive(record: UploadRecord, source: Source, offset: number): Promise<number> {
    return this.#deps.files.activeUploads.during(() => this.#receive(record, source, offset));
  }

  async #receive(record: UploadRecord, source: Source, offset: number): Promise<number> {
    // Only an empty request can come after the last byte.
    if (record.finished_at) return record.size;
    let reached = offset;
    // The client discards confirmed bytes, so they must survive a loss of power.
    await this.#deps.files.incoming.write(keyOf(record), source, {
      at: offset,
      size: record.size,
      passing(chunk) {
        reached += chunk.length;
        if (reached > record.size) throw ERRORS.ERR_SIZE_EXCEEDED;
      },
    });
    if (reached === record.size) await this.#finish(record);
    return reached;
  }

  /** Removes the caller's empty uploads of this name: their URLs never reached the client, and they reserve storage. */
  async forgetUnanswered(caller: Caller, bucketId: string, name: string): Promise<void> {
    for (const record of await this.#deps.records.unfinishedOf(bucketId, name)) {
      if (ownedBy(caller, record) && !(await this.#received(record))) await this.remove(record.id);
    }
  }

  override async remove(id: string): Promise<void> {
    const record = await this.#deps.records.find(id);
    if (record) await this.#forget(record);
  }

  /** Deletes an upload's record, and removes its bytes unless they have become an object. */
  async #forget(record: UploadRecord): Promise<void> {
    await this.#deps.records.forget(record.id);
    await discardBytes(this.#deps, [keyOf(record)]);
  }

  /** Resolves to the number of received bytes; undefined if they are gone. */
  #received(record: UploadRecord): Promise<number | undefined> {
    return this.#deps.files.incoming.received(keyOf(record), record.size);
  }

  async #finish(record: UploadRecord): Promise<void> {
    const { db, files, buckets } = this.#deps;
    try {
      const bucket = await buckets.find(record.bucket_id);
      await finalizeUpload(
        { db, files },
        {
          version: record.id,
          size: record.size,
          bucket,
          name: record.name,
          caller: record.caller,
          upsert: record.upsert,
          cacheControl: record.metadata.cacheControl ?? undefined,
          userMetadata: userMetadataOf(record.metadata.metadata),
        },
      );
    } catch (error) {
      if (isFinal(error)) await this.#forget(record);
      throw error;
    }
  }
}

const keyOf = (record: UploadRecord) => ({ bucket: record.bucket_id, version: record.id });
