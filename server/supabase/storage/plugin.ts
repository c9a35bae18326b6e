import type { FastifyError, FastifyPluginAsync } from "fastify";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { Identify } from "../callers.ts";
import type { OpenSessions } from "../open-sessions.ts";
import { answerUnknownPaths } from "../request-bounds.ts";
import { withSchemas } from "../route-schemas.ts";
import type { StreamGuard } from "../stream-guard.ts";
import { refuseUnsupported } from "../unsupported.ts";
import { bucketRoutes } from "./bucket-routes.ts";
import { cachedBuckets, cachedObjects, cachedPrecheck, cachedUploadChecks } from "./cached-lookups.ts";
import type { StorageContext } from "./context.ts";
import { downloadRoutes, videoRoutes } from "./download-routes.ts";
import { objectRoutes } from "./object-routes.ts";
import { openResumable } from "./open-resumable.ts";
import { resumableRoutes } from "./resumable.ts";
import { signRoutes } from "./sign-routes.ts";
import { urlOpener } from "./signed-url.ts";
import { badRequest, failureFrom, notSupported, refusalFrom, StorageError } from "./storage-error.ts";
import { UNSUPPORTED } from "./unsupported.ts";
import { uploadRoutes } from "./upload-routes.ts";

export interface StorageDeps {
  db: Database;
  identify: Identify;
  files: Files;
  /** Stops responses when the caller's access ends. */
  streams: StreamGuard;
  sessions: OpenSessions;
  /** The 32-byte key that signs URLs. */
  urlSecret: Uint8Array;
}

/** `storage/v1`: buckets, objects, resumable uploads, signed URLs, renditions. */
export const storage =
  ({ db, identify, files, streams, sessions, urlSecret }: StorageDeps): FastifyPluginAsync =>
  async (app) => {
    const context: StorageContext = {
      db,
      files,
      streams,
      sessions,
      buckets: cachedBuckets(db),
      precheck: cachedPrecheck(db),
      checkUpload: cachedUploadChecks(db),
      urlSecret,
      openUrl: urlOpener(urlSecret),
      findRecent: cachedObjects(db),
      callerOf: ({ headers }) =>
        identify({ authorization: headers.authorization, apikey: headers.apikey as string | undefined }),
    };
    const resumable = openResumable(context);

    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const refusal = refusalFrom(error) ?? refusalOfFramework(error);
      if (!refusal) request.log.error(error);
      const { status, body, retryAfter } =
        refusal ?? failureFrom(error) ?? new StorageError(500, "internal", "Internal error");
      if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
      return reply.code(status).send(body);
    });
    refuseUnsupported(app, UNSUPPORTED, notSupported);
    answerUnknownPaths(app, (_request, reply) =>
      reply.code(404).send(new StorageError(404, "not_found", "Route not found").body),
    );

    const routes = withSchemas(app, (issues, part) =>
      badRequest(issues.map(({ path, message }) => `${path.join(".") || part}: ${message}`).join("; ")),
    );
    bucketRoutes(routes, context);
    objectRoutes(routes, context);
    signRoutes(routes, context);
    downloadRoutes(routes, context);
    videoRoutes(routes, context);
    await app.register(async (raw) => {
      // Bytes are written as received, regardless of their declared type.
      raw.removeAllContentTypeParsers();
      raw.addContentTypeParser("*", (_request, _body, done) => done(null));
      uploadRoutes(raw.withTypeProvider(), context);
      resumableRoutes(raw.withTypeProvider(), context, resumable);
    });
  };

const refusalOfFramework = (error: FastifyError) =>
  error.code?.startsWith("FST_ERR_") && error.statusCode && error.statusCode < 500
    ? new StorageError(error.statusCode, "invalid_request", error.message)
    : undefined;
