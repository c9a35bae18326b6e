import type { FastifyRequest } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "./files.ts";

/** What every route of storage works with. */
export interface StorageContext {
  db: Database;
  files: Files;
  /** 32 bytes that sign URLs. */
  urlSecret: Uint8Array;
  /** Whom a request speaks for; rejects with `BadBearer`. */
  callerOf(request: FastifyRequest): Promise<Caller>;
}
