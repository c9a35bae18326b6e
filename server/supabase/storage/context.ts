import type { FastifyRequest } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { SessionEndedError } from "../callers.ts";
import type { OpenSessions } from "../open-sessions.ts";
import type { AccessCheck, StreamGuard } from "../stream-guard.ts";
import type { Buckets, CheckUpload, FindObject, Precheck } from "./cached-lookups.ts";
import type { OpenUrl } from "./signed-url.ts";

/** Returns a check that rejects once the caller may not add this object any more, or their session has ended. */
export const uploadCheck =
  ({ checkUpload, sessions }: StorageContext, caller: Caller, bucket: string, name: string): AccessCheck =>
  async (maxAgeMs) => {
    await checkUpload(caller, bucket, name, maxAgeMs);
    if (!(await sessions.isOpen(caller))) throw new SessionEndedError();
  };

/** The dependencies of all storage routes. */
export interface StorageContext {
  db: Database;
  files: Files;
  streams: StreamGuard;
  sessions: OpenSessions;
  buckets: Buckets;
  /** Refuses callers without the right to upload, before they send bytes. */
  precheck: Precheck;
  /** For uploads: rejects once the caller may not add the object any more, with a result like that of `findRecent`. */
  checkUpload: CheckUpload;
  /** The 32-byte key that signs URLs. */
  urlSecret: Uint8Array;
  openUrl: OpenUrl;
  /** For reads: resolves to an object, with a result that is at most half a second old, or `maxAgeMs` if given. */
  findRecent: FindObject;
  /** Resolves to the caller of a request. Rejects with `BadBearerError`. */
  callerOf(request: FastifyRequest): Promise<Caller>;
}
