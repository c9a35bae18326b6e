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
  /** Refuses callers without the right to upload, before they send bytes. */
  precheck: Precheck;
  /** The 32-byte key that signs URLs. */
  urlSecret: Uint8Array;
  openUrl: OpenUrl;
  /** For reads: resolves to an object, with a result that is at most half a second old, or `maxAgeMs` if given. */
  findRecent: FindObject;
  /** Resolves to the caller of a request. Rejects with `BadBearerError`. */
  callerOf(request: FastifyRequest): Promise<Caller>;
}
