import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Transform } from "node:stream";
import { ERRORS, Server, type ServerOptions } from "@tus/server";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Caller } from "../../database/as-caller.ts";
import type { Source } from "../../files/uploads/write-part.ts";
import type { Routes } from "../route-schemas.ts";
import { type StorageContext, uploadCheck } from "./context.ts";
import type { Resumable } from "./open-resumable.ts";
import { UPLOAD_LIFE_MS } from "./part-store.ts";
import { userMetadataOf } from "./receive.ts";
import { objectName } from "./requests.ts";
import { badRequest, failureFrom, refusalFrom, tooLarge } from "./storage-error.ts";
import { ownedBy } from "./upload-records.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type TusRequest = Parameters<NonNullable<ServerOptions["onUploadCreate"]>>[0];

/** Registers `/upload/resumable`: the hosted platform's tus protocol. */
export function resumableRoutes(app: Routes, deps: StorageContext, resumable: Resumable) {
  const callers = new WeakMap<IncomingMessage, { caller: Caller; log: FastifyBaseLogger; response: ServerResponse }>();
  const contextOf = (request: TusRequest) => {
    const context = callers.get(request.runtime?.node?.req as IncomingMessage);
    if (!context) throw new Error("A resumable upload came around its route");
    return context;
  };

  const tus = new Server({
    path: `${app.prefix}/upload/resumable`,
    datastore: resumable.store,
    locker: resumable.locker,
    // A path works through any proxy; a host name from headers might not.
    relativeLocation: true,
    namingFunction: () => randomUUID(),
    getFileIdFromRequest: (_request, last) => (last && UUID.test(last) ? last : undefined),
    disableTerminationForFinishedUploads: true,
    async onIncomingRequest(request, id) {
      if (request.method === "POST") return;
      const record = await resumable.records.find(id);
      const { caller } = contextOf(request);
      if (!ownedBy(caller, record)) throw ERRORS.FILE_NOT_FOUND;
    },
    async onUploadCreate(request, upload) {
      const { caller, response } = contextOf(request);
      const metadata = upload.metadata ?? {};
      const size = upload.size ?? 0;
      const name = objectName(metadata.objectName);
      if (!metadata.bucketName) throw badRequest("The metadata must hold bucketName");
      const userMetadata = userMetadataOf(metadata.metadata);
      const bucket = await deps.buckets.find(metadata.bucketName);
      if (size === 0) throw badRequest("An empty file cannot be stored");
      if (bucket.file_size_limit !== null && size > bucket.file_size_limit) throw tooLarge();
      const upsert = request.headers.get("x-upsert") === "true";
      const version = upload.id;
      const type = metadata.contentType;
      await deps.precheck(caller, bucket, { name, version, size, type, userMetadata, upsert });
      await resumable.store.forgetUnanswered(caller, bucket.id, name);
      await resumable.records.add({ id: version, bucket_id: bucket.id, name, size, upsert, metadata, caller });
      // The request may contain bytes, too.
      deps.streams.watch(response, uploadCheck(deps, caller, bucket.id, name));
      return { metadata };
    },
    onResponseError(request, error) {
      const { log, response } = contextOf(request);
      const retryAfter = retryAfterIn(error);
      if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
      return asTusError(error, log);
    },
  });

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    callers.set(request.raw, { caller: await deps.callerOf(request), log: request.log, response: reply.raw });
    reply.hijack();
    await tus.handle(request.raw, reply.raw);
  };
  for (const url of ["/upload/resumable", "/upload/resumable/:id"]) {
    app.route({ method: ["POST", "HEAD", "DELETE"], url, exposeHeadRoute: false, handler: serve });
  }
  resumablePatch(app, deps, resumable);
}

/** Refuses a `PATCH` request. */
function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status_code, body } = asTusError(error, request.log);
  const retryAfter = retryAfterIn(error);
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  // Unread bytes may still be arriving.
  return reply.code(status_code).header("connection", "close").type("text/plain").send(body);
}

/** Seconds for `Retry-After`; undefined if waiting alone does not help. */
const retryAfterIn = (error: unknown) => (refusalFrom(error) ?? failureFrom(error))?.retryAfter;

/** Returns an error for tus clients: tus errors unchanged, refusals with their code first, and no details of bugs. */
function asTusError(error: unknown, log: FastifyBaseLogger): { status_code: number; body: string } {
  const refusal = refusalFrom(error);
  if (refusal) return { status_code: refusal.status, body: `${refusal.error}: ${refusal.message}` };
  if (isTusError(error)) return error;
  log.error(error);
  const failure = failureFrom(error);
  if (failure) return { status_code: failure.status, body: `${failure.error}: ${failure.message}` };
  return { status_code: 500, body: "Internal error" };
}

const isTusError = (error: unknown): error is { status_code: number; body: string } =>
  typeof error === "object" && error !== null && "status_code" in error && "body" in error;

/** The parameters of an upload's routes. Other input is in headers, which the tus server reads. */
const Upload = z.object({ id: z.string() });
type PatchRequest = FastifyRequest<{ Params: z.output<typeof Upload> }>;

/**
 * Registers `PATCH /upload/resumable/{id}`, which writes bytes directly from the connection into their part. The tus
 * server would convert them into a web stream and back, which takes longer than all other work on them.
 */
function resumablePatch(app: Routes, deps: StorageContext, { records, store, locker }: Resumable) {
  const receive = async (request: PatchRequest, reply: FastifyReply): Promise<{ offset: number; expires?: Date }> => {
    const { headers, params } = request;
    const caller = await deps.callerOf(request);
    if (headers["tus-resumable"] !== "1.0.0") throw { status_code: 412, body: "Tus-Resumable Required\n" };
    if (headers["content-type"] !== "application/offset+octet-stream") throw ERRORS.INVALID_CONTENT_TYPE;
    if (!/^\d{1,15}$/.test(headers["upload-offset"]?.toString() ?? "")) throw ERRORS.MISSING_OFFSET;
    const offset = Number(headers["upload-offset"]);
    const upload = await records.find(params.id);
    if (!ownedBy(caller, upload)) throw ERRORS.FILE_NOT_FOUND;
    // A completed upload is answered again, also to a caller who has lost access since.
    if (!upload.finished_at) {
      const mayUpload = uploadCheck(deps, caller, upload.bucket_id, upload.name);
      await mayUpload(0);
      deps.streams.watch(reply.raw, mayUpload);
    }

    const { source, breakOff } = bodyOf(request);
    const lock = locker.newLock(params.id);
    // `breakOff` releases the upload to a waiting request, most often of the same client after a lost connection.
    await lock.lock(new AbortController().signal, breakOff);
    try {
      // Read under the lock, so that no other request changes it.
      const record = await records.find(params.id);
      if (!record) throw ERRORS.FILE_NOT_FOUND;
      const { offset: present } = await store.look(record);
      const expires = new Date(record.created_at.getTime() + UPLOAD_LIFE_MS);
      if (expires < new Date()) throw ERRORS.FILE_NO_LONGER_EXISTS;
      if (present !== offset) throw ERRORS.INVALID_OFFSET;
      if (offset + Number(headers["content-length"] ?? 0) > record.size) throw ERRORS.ERR_SIZE_EXCEEDED;
      const reached = await store.receive(await records.resume(record, caller), source, offset);
      return { offset: reached, expires: reached < record.size ? expires : undefined };
    } finally {
      await lock.unlock();
    }
  };

  app.patch("/upload/resumable/:id", { schema: { params: Upload } }, async (request, reply) => {
    reply.header("tus-resumable", "1.0.0");
    try {
      const { offset, expires } = await receive(request, reply);
      if (expires) reply.header("upload-expires", expires.toUTCString());
      // An aborted request would stay open for bytes that nobody reads.
      if (!request.raw.complete) reply.header("connection", "close");
      return await reply.code(204).header("upload-offset", offset).send();
    } catch (error) {
      return refuse(request, reply, error);
    }
  });
}

/** Returns the request's body. It ends when the connection breaks, so that received bytes are kept for a resume. */
function bodyOf({ raw }: FastifyRequest): { source: Source; breakOff: () => void } {
  let sink: Transform | undefined;
  let broken = false;
  const breakOff = () => {
    broken = true;
    if (!sink) return;
    raw.unpipe(sink);
    sink.end();
    // Further bytes are dropped.
    raw.resume();
  };
  raw.once("error", breakOff);
  raw.once("close", breakOff);
  return {
    breakOff,
    source(into) {
      sink = into;
      into.once("error", () => raw.unpipe(into));
      if (broken) into.end();
      else raw.pipe(into);
    },
  };
}
