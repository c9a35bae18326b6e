import type { FastifyRequest } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { OpenSessions } from "../open-sessions.ts";
import type { StreamGuard } from "../stream-guard.ts";
import type { Buckets, FindObject, Precheck } from "./cached-lookups.ts";
import type { OpenUrl } from "./signed-url.ts";

/** The dependencies of all storage routes. */
export interface StorageContext {
  db: Database;
  files: Files;
  streams: StreamGuard;
  sessions: OpenSessions;
  buckets: Buckets;
  /** Refuses callers who may not upload before they send bytes. */
  precheck: Precheck;
  /** 32 bytes that sign URLs. */
  urlSecret: Uint8Array;
  openUrl: OpenUrl;
  /** For reading: the policies' answer for an object, at most half a second old, or older as stated. */
  findRecent: FindObject;
  /** The caller of a request; rejects with `BadBearerError`. */
  callerOf(request: FastifyRequest): Promise<Caller>;
}
