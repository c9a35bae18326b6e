import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { BytesKey } from "../../files/object-store.ts";
import type { Routes } from "../route-schemas.ts";
import type { StorageContext } from "./context.ts";
import { finalizeUpload } from "./finalize-upload.ts";
import { Listing, listObjects } from "./listing.ts";
import { findBucket, findObject, removeObjects, renameObject, type StoredObject } from "./objects.ts";
import { discardBytes } from "./remove-bytes.ts";
import { InBucket, Named, objectName } from "./requests.ts";
import { StorageError } from "./storage-error.ts";

const Names = z.object({ prefixes: z.array(z.string()).min(1).max(1000) });
const FromTo = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().optional(),
});

/** Registers `/object`: objects' data and names. */
export function objectRoutes(app: Routes, context: StorageContext) {
  const { db, files, callerOf } = context;

  app.post("/object/list/:bucket", { schema: { params: InBucket, body: Listing } }, async (request, reply) => {
    const body = await listObjects(db, await callerOf(request), request.params.bucket, request.body);
    return reply.type("application/json").send(body);
  });

  app.get("/object/info/:bucket/*", { schema: { params: Named } }, async (request) =>
    infoOf(await findObject(db, await callerOf(request), request.params.bucket, objectName(request.params["*"]))),
  );

  app.delete("/object/:bucket", { schema: { params: InBucket, body: Names } }, async (request, reply) => {
    const { prefixes } = request.body;
    const rows = await removeObjects(db, await callerOf(request), request.params.bucket, prefixes.map(objectName));
    return reply.type("application/json").send(rows);
  });

  app.post("/object/move", { schema: { body: FromTo } }, async (request) => {
    const { bucketId, sourceKey, destinationKey, destinationBucket = bucketId } = request.body;
    const caller = await callerOf(request);
    const source = await findOriginal(db, caller, bucketId, objectName(sourceKey));
    const to = { bucket: destinationBucket, name: objectName(destinationKey), version: source.version };
    if (to.bucket !== source.bucket_id) {
      // Bytes are stored under their bucket. A move between buckets copies them as a new version, and the bytes of the
      // old row are discarded.
      await findBucket(db, to.bucket);
      to.version = randomUUID();
      await files.incoming.copy(keyOf(source), to);
      await files.incoming.keep(to);
    }
    await renameObject(db, caller, source, to).catch(async (error: unknown) => {
      // Of the copy only: a row names the bytes of the source.
      if (to.version !== source.version) await discardBytes(context, [to]);
      throw error;
    });
    return { message: "Successfully moved" };
  });

  app.post("/object/copy", { schema: { body: FromTo } }, async (request) => {
    const { bucketId, sourceKey, destinationKey, destinationBucket = bucketId } = request.body;
    const caller = await callerOf(request);
    const name = objectName(destinationKey);
    const source = await findOriginal(db, caller, bucketId, objectName(sourceKey));
    const bucket = await findBucket(db, destinationBucket);
    const version = randomUUID();
    await files.incoming.copy(keyOf(source), { bucket: bucket.id, version });
    const id = await finalizeUpload(context, {
      version,
      bucket,
      name,
      caller,
      upsert: request.headers["x-upsert"] === "true",
      cacheControl: source.metadata.cacheControl.match(/\d+/)?.[0],
      userMetadata: source.user_metadata,
    });
    return { Id: id, Key: `${bucket.id}/${name}` };
  });
}

/** Resolves to the object if the caller may have its original: a copy would reveal its metadata to the copy's owner. */
async function findOriginal(...args: Parameters<typeof findObject>): Promise<StoredObject> {
  const object = await findObject(...args);
  if (object.access === "original") return object;
  throw new StorageError(403, "Unauthorized", "Only whoever added this file can copy or move it");
}

const keyOf = ({ bucket_id: bucket, version }: StoredObject): BytesKey => ({ bucket, version });

const infoOf = (object: StoredObject) => ({
  id: object.id,
  name: object.name,
  version: object.version,
  bucket_id: object.bucket_id,
  size: object.metadata.size,
  content_type: object.metadata.mimetype,
  cache_control: object.metadata.cacheControl,
  etag: object.metadata.eTag,
  // A caller who may have the bytes may also have their metadata.
  metadata: object.access === "original" ? object.user_metadata : {},
  last_modified: object.metadata.lastModified,
  created_at: object.created_at,
});
