import type { FastifyPluginAsync } from "fastify";
import type { Database } from "../../database/database.ts";
import type { Identify } from "../callers.ts";

export interface StorageDeps {
  db: Database;
  identify: Identify;
  /** The folder for bytes, parts of uploads and renditions. */
  folder: string;
  /** 32 bytes that sign URLs. */
  urlSecret: Uint8Array;
}

/** `storage/v1`: buckets, objects, resumable uploads, signed URLs, renditions. */
export const storage =
  (_deps: StorageDeps): FastifyPluginAsync =>
  async () => {};
