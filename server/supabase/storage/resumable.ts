import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Locker, Server, type ServerOptions } from "@tus/server";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import type { StorageContext } from "./context.ts";
import { objectName } from "./names.ts";
import { findBucket, rehearseInsert } from "./objects.ts";
import { PartStore } from "./part-store.ts";
import { userMetadataOf } from "./receive.ts";
import { badRequest, refusalFrom, tooLarge } from "./storage-error.ts";
import { uploadLocker } from "./upload-lock.ts";
import { type UploadRecords, uploadRecords } from "./upload-records.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type TusRequest = Parameters<NonNullable<ServerOptions["onUploadCreate"]>>[0];

/** What resumable uploads are served and mended with. */
export interface Resumable {
  records: UploadRecords;
  store: PartStore;
  locker: Locker;
  /** Turns an upload into its object if all its bytes are here. Waits for, and hurries, whoever writes it. */
  complete(id: string): Promise<void>;
}

export function openResumable({ db, files }: Pick<StorageContext, "db" | "files">): Resumable {
  const records = uploadRecords(db);
  const locker = uploadLocker(files.parts);
  const store = new PartStore({ db, files, records });
  return {
    records,
    store,
    locker,
    async complete(id) {
      const lock = locker.newLock(id);
      await lock.lock(new AbortController().signal, () => {});
      try {
        await store.getUpload(id);
      } finally {
        await lock.unlock();
      }
    },
  };
}

/** `/upload/resumable`: the tus protocol, as the hosted platform speaks it. */
export function resumableRoutes(app: FastifyInstance, deps: StorageContext, resumable: Resumable) {
  const callers = new WeakMap<IncomingMessage, { caller: Caller; log: FastifyBaseLogger }>();
  const contextOf = (request: TusRequest) => {
    const context = callers.get(request.runtime?.node?.req as IncomingMessage);
    if (!context) throw new Error("A resumable upload came around its route");
    return context;
  };

  const tus = new Server({
    path: `${app.prefix}/upload/resumable`,
    datastore: resumable.store,
    locker: resumable.locker,
    // A path leads back through whatever proxy the client came by; a host name taken from headers might not.
    relativeLocation: true,
    namingFunction: () => randomUUID(),
    getFileIdFromRequest: (_request, last) => (last && UUID.test(last) ? last : undefined),
    disableTerminationForFinishedUploads: true,
    async onIncomingRequest(request, id) {
      if (request.method === "POST") return;
      const record = await resumable.records.find(id);
      const { caller } = contextOf(request);
      // Another caller is told what they would be told of an upload that never was.
      if (record && (record.caller.role !== caller.role || record.caller.sub !== caller.sub)) {
        throw { status_code: 404, body: "The file for this url was not found" };
      }
    },
    async onUploadCreate(request, upload) {
      const { caller } = contextOf(request);
      const metadata = upload.metadata ?? {};
      const size = upload.size ?? 0;
      const name = objectName(metadata.objectName);
      if (!metadata.bucketName) throw badRequest("The metadata must hold bucketName");
      const userMetadata = userMetadataOf(metadata.metadata);
      const bucket = await findBucket(deps.db, metadata.bucketName);
      if (size === 0) throw badRequest("An empty file can not be stored");
      if (bucket.file_size_limit !== null && size > bucket.file_size_limit) throw tooLarge();
      const upsert = request.headers.get("x-upsert") === "true";
      const version = upload.id;
      await rehearseInsert(deps.db, caller, bucket, { name, version, size, userMetadata, upsert });
      await resumable.records.add({ id: version, bucket_id: bucket.id, name, size, upsert, metadata, caller });
      return { metadata };
    },
    onResponseError(request, error) {
      const refusal = refusalFrom(error);
      if (refusal) return { status_code: refusal.status, body: `${refusal.error}: ${refusal.message}` };
      if (!(error instanceof Error)) return undefined;
      contextOf(request).log.error(error);
      return { status_code: 500, body: "Internal error" };
    },
  });

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    callers.set(request.raw, { caller: await deps.callerOf(request), log: request.log });
    reply.hijack();
    await tus.handle(request.raw, reply.raw);
  };
  for (const url of ["/upload/resumable", "/upload/resumable/:id"]) {
    app.route({ method: ["POST", "HEAD", "PATCH", "DELETE"], url, exposeHeadRoute: false, handler: serve });
  }
}
