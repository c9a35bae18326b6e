import type { FastifyRequest } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { OpenSessions } from "../open-sessions.ts";
import type { StreamGuard } from "../stream-guard.ts";
import type { Buckets, FindObject, Precheck } from "./remembered.ts";
import type { OpenUrl } from "./signed-url.ts";

/** What every route of storage works with. */
export interface StorageContext {
  db: Database;
  files: Files;
  streams: StreamGuard;
  sessions: OpenSessions;
  buckets: Buckets;
  /** Refuses callers who may not store, before their bytes come. */
  precheck: Precheck;
  /** 32 bytes that sign URLs. */
  urlSecret: Uint8Array;
  openUrl: OpenUrl;
  /** For reading: the policies' answer for an object, at most half a second old, or older as stated. */
  findRecent: FindObject;
  /** The caller of a request; rejects with `BadBearerError`. */
  callerOf(request: FastifyRequest): Promise<Caller>;
}
