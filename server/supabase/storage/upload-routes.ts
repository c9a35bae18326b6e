import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Routes } from "../route-schemas.ts";
import { type StorageContext, uploadCheck } from "./context.ts";
import { finalizeUpload } from "./finalize-upload.ts";
import { findObject } from "./objects.ts";
import { receive } from "./receive.ts";
import { discardBytes } from "./remove-bytes.ts";
import { Named, objectName } from "./requests.ts";
import { badRequest, tooLarge } from "./storage-error.ts";

/** The maximum overhead of a form in bytes. */
const FORM_MARGIN = 128 * 1024;

/** Registers `POST` and `PUT /object/{bucket}/{name}`: the upload of an object in one request. */
export function uploadRoutes(app: Routes, context: StorageContext) {
  const { db, files, buckets, precheck, callerOf } = context;

  type StoreRequest = FastifyRequest<{ Params: z.output<typeof Named> }>;
  const store = async (request: StoreRequest, reply: FastifyReply, upsert: boolean) => {
    const caller = await callerOf(request);
    const name = objectName(request.params["*"]);
    const bucket = await buckets.find(request.params.bucket);
    const { headers } = request;
    if (headers["content-type"] === undefined) throw badRequest("The body is missing");
    const limit = bucket.file_size_limit;
    const length = Number(headers["content-length"] ?? 0);
    // A lower bound of the file's size: the size of a form's other parts is unknown before they arrive.
    const size = headers["content-type"].startsWith("multipart/") ? Math.max(0, length - FORM_MARGIN) : length;
    if (limit !== null && size > limit) throw tooLarge();
    const version = randomUUID();
    // Checked before the bytes arrive.
    const type = headers["content-type"];
    await precheck(caller, bucket, { name, version, size, type, userMetadata: {}, upsert });
    context.streams.watch(reply.raw, uploadCheck(context, caller, bucket.id, name));
    const id = await files.activeUploads.during(async () => {
      const key = { bucket: bucket.id, version };
      const received = await receive(request.raw, headers, { incoming: files.incoming, key, limit }).catch(
        async (error: unknown) => {
          await discardBytes(context, [key]);
          throw error;
        },
      );
      return finalizeUpload(context, { version, bucket, name, caller, upsert, ...received });
    });
    return { Id: id, Key: `${bucket.id}/${name}` };
  };

  app.post("/object/:bucket/*", { schema: { params: Named } }, (request, reply) =>
    store(request, reply, request.headers["x-upsert"] === "true"),
  );
  app.put("/object/:bucket/*", { schema: { params: Named } }, async (request, reply) => {
    // Only an existing object can be updated.
    const { bucket, "*": name } = request.params;
    await findObject(db, await callerOf(request), bucket, objectName(name));
    return store(request, reply, true);
  });
}
