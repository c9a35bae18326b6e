import type { Transform } from "node:stream";
import { ERRORS } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import type { Resumable } from "./open-resumable.ts";
import { UPLOAD_LIFE_MS } from "./part-store.ts";
import { ownedBy } from "./upload-records.ts";
import type { Source } from "./write-part.ts";

type PatchRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * `PATCH /upload/resumable/{id}`: the bytes of a resumable upload, straight from the connection into their part. The tus
 * server would turn them into a web stream and back, which takes longer than everything else about them.
 */
export function resumablePatch(
  app: FastifyInstance,
  { records, store, locker }: Resumable,
  deps: {
    callerOf(request: FastifyRequest): Promise<Caller>;
    refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply;
  },
) {
  const receive = async (request: PatchRequest, caller: Caller): Promise<{ offset: number; expires?: Date }> => {
    const { headers, params } = request;
    if (headers["tus-resumable"] !== "1.0.0") throw { status_code: 412, body: "Tus-Resumable Required\n" };
    if (headers["content-type"] !== "application/offset+octet-stream") throw ERRORS.INVALID_CONTENT_TYPE;
    if (!/^\d{1,15}$/.test(headers["upload-offset"]?.toString() ?? "")) throw ERRORS.MISSING_OFFSET;
    const offset = Number(headers["upload-offset"]);
    if (!ownedBy(caller, await records.find(params.id))) throw ERRORS.FILE_NOT_FOUND;

    const { source, breakOff } = bodyOf(request);
    const lock = locker.newLock(params.id);
    // Whoever knocks wants to write this upload too, most often the same client after its connection was lost.
    await lock.lock(new AbortController().signal, breakOff);
    try {
      // Only now is it what no other request changes.
      const record = await records.find(params.id);
      if (!record) throw ERRORS.FILE_NOT_FOUND;
      const { offset: present } = await store.look(record);
      const expires = new Date(record.created_at.getTime() + UPLOAD_LIFE_MS);
      if (expires < new Date()) throw ERRORS.FILE_NO_LONGER_EXISTS;
      if (present !== offset) throw ERRORS.INVALID_OFFSET;
      if (offset + Number(headers["content-length"] ?? 0) > record.size) throw ERRORS.ERR_SIZE_EXCEEDED;
      const reached = await store.receive(record, source, offset);
      return { offset: reached, expires: reached < record.size ? expires : undefined };
    } finally {
      await lock.unlock();
    }
  };

  app.patch<{ Params: { id: string } }>("/upload/resumable/:id", async (request, reply) => {
    reply.header("tus-resumable", "1.0.0");
    try {
      const { offset, expires } = await receive(request, await deps.callerOf(request));
      if (expires) reply.header("upload-expires", expires.toUTCString());
      // What was broken off stays open for bytes that nobody reads any more.
      if (!request.raw.complete) reply.header("connection", "close");
      return await reply.code(204).header("upload-offset", offset).send();
    } catch (error) {
      return deps.refuse(request, reply, error);
    }
  });
}

/**
 * The request's body, which ends where its connection breaks, or where it is broken off: what has come by then is kept,
 * and the upload goes on from there.
 */
function bodyOf({ raw }: FastifyRequest): { source: Source; breakOff: () => void } {
  let sink: Transform | undefined;
  let broken = false;
  const breakOff = () => {
    broken = true;
    if (!sink) return;
    raw.unpipe(sink);
    sink.end();
    // What still comes is dropped.
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
