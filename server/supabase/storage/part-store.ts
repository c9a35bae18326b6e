import { access, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import { ERRORS, type Upload } from "@tus/server";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { readBehind } from "./digests.ts";
import { finalizeUpload } from "./finalize-upload.ts";
import { from, type Source, userMetadataOf, writePart } from "./receive.ts";
import type { Buckets } from "./remembered.ts";
import { refusalFrom } from "./storage-error.ts";
import { asUpload, ownedBy, type UploadRecord, type UploadRecords } from "./upload-records.ts";

/** How long an unfinished upload may be resumed, in milliseconds. */
export const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000;

/** So many bytes are read behind at a time. */
const BEHIND_BYTES = 4 * 1024 * 1024;

interface PartStoreDeps {
  db: Database;
  files: Files;
  buckets: Buckets;
  records: UploadRecords;
}

/**
 * The tus server's store: parts in a folder, what they are to become in the database. Its rule is that an upload is
 * never reported as complete before its object exists: the last write, and every look at an upload whose bytes are
 * complete, turns it into the object first, under the upload's lock.
 */
export class PartStore extends FileStore {
  readonly #deps: PartStoreDeps;

  constructor(deps: PartStoreDeps) {
    super({
      directory: deps.files.parts,
      expirationPeriodInMilliseconds: UPLOAD_LIFE_MS,
      // The records are written when an upload is authorised; the tus server only reads and ends them.
      configstore: {
        get: async (id) => {
          const record = await deps.records.find(id);
          return record && asUpload(record, 0);
        },
        set: async () => {},
        delete: (id) => deps.records.forget(id),
      },
    });
    this.#deps = deps;
    this.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  }

  override async getUpload(id: string): Promise<Upload> {
    const record = await this.#deps.records.find(id);
    if (!record) throw ERRORS.FILE_NOT_FOUND;
    return this.look(record);
  }

  /** The upload as it stands now. One whose bytes are complete becomes its object first. */
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

  /** Writes bytes on from the place `offset`; resolves to the place reached, and at the end once the object exists. */
  receive(record: UploadRecord, source: Source, offset: number): Promise<number> {
    return this.#deps.files.activeUploads.during(() => this.#receive(record, source, offset));
  }

  async #receive(record: UploadRecord, source: Source, offset: number): Promise<number> {
    // Only an empty request can come after the last byte.
    if (record.finished_at) return record.size;
    const part = join(this.directory, record.id);
    let reached = offset;
    let told = offset;
    // The client forgets what it is told has arrived, so it must survive a loss of power.
    await writePart(part, source, {
      at: offset,
      passing(chunk, written) {
        reached += chunk.length;
        if (reached > record.size) throw ERRORS.ERR_SIZE_EXCEEDED;
        if (written - told < BEHIND_BYTES) return;
        told = written;
        readBehind(part, written);
      },
    });
    if (reached === record.size) await this.#finish(record);
    return reached;
  }

  /**
   * Ends what the caller began under this name and sent no byte of: they were not told where, or they would not begin it
   * again, and what is left of it would hold room for a day.
   */
  async forgetUnanswered(caller: Caller, bucketId: string, name: string): Promise<void> {
    for (const record of await this.#deps.records.unfinishedOf(bucketId, name)) {
      if (ownedBy(caller, record) && !(await this.#received(record))) await this.remove(record.id);
    }
  }

  override async remove(id: string): Promise<void> {
    await rm(join(this.directory, id), { force: true });
    await this.#deps.records.forget(id);
  }

  /** How many bytes have arrived; undefined when they are gone. */
  async #received(record: UploadRecord): Promise<number | undefined> {
    const facts = await stat(join(this.directory, record.id)).catch(() => undefined);
    if (facts) return facts.size;
    return (await this.#deps.files.objects.has(keyOf(record))) ? record.size : undefined;
  }

  async #finish(record: UploadRecord): Promise<void> {
    const part = join(this.directory, record.id);
    const { db, files, buckets, records } = this.#deps;
    try {
      const bucket = await buckets.find(record.bucket_id);
      // Killed between the bytes and the row: the bytes come back to where every upload is looked at.
      if (!(await exists(part))) {
        await writePart(part, from(await files.objects.read(keyOf(record))), { begins: true });
      }
      await finalizeUpload(
        { db, files },
        {
          version: record.id,
          bucket,
          name: record.name,
          caller: record.caller,
          upsert: record.upsert,
          cacheControl: record.metadata.cacheControl ?? undefined,
          userMetadata: userMetadataOf(record.metadata.metadata),
        },
      );
    } catch (error) {
      if (refusalFrom(error)) await records.forget(record.id);
      throw error;
    }
  }
}

const keyOf = (record: UploadRecord) => ({ bucket: record.bucket_id, version: record.id });
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
