import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import { MissingBytesError } from "../../files/object-store.ts";
import { UnreadablePictureError } from "../../files/pictures/pictures.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { SessionEndedError } from "../callers.ts";
import type { AccessCheck } from "../stream-guard.ts";
import type { StorageContext } from "./context.ts";
import type { Access, StoredObject } from "./objects.ts";
import { objectName } from "./requests.ts";
import { notFound, StorageError } from "./storage-error.ts";

interface Named {
  Params: { bucket: string; "*": string };
  Querystring: { token?: string; download?: string; width?: string };
}
export type ObjectRequest = FastifyRequest<Named>;
/** Sends bytes of an object that the caller may see. */
export type Answer = (request: ObjectRequest, reply: FastifyReply, object: StoredObject) => Promise<FastifyReply>;
type WhoAsks = (request: ObjectRequest) => Promise<Caller>;

/**
 * Routes for `GET` and `HEAD` of objects, by bearer and by signed URL. The row policies are asked before the first byte,
 * and again while bytes flow.
 */
export function objectHandlers(
  app: FastifyInstance,
  { sessions, streams, findRecent, openUrl, callerOf }: StorageContext,
) {
  const bearer: WhoAsks = (request) => callerOf(request);
  const signed: WhoAsks = async ({ params, query }) => {
    const caller = await openUrl(query.token, `${params.bucket}/${params["*"]}`);
    if (!(await sessions.isOpen(caller))) throw new SessionEndedError();
    return caller;
  };
  const route = (url: string, whoAsks: WhoAsks, answer: Answer) =>
    app.route<Named>({
      method: ["GET", "HEAD"],
      url,
      exposeHeadRoute: false,
      async handler(request, reply) {
        const caller = await whoAsks(request);
        const name = objectName(request.params["*"]);
        const object = await findRecent(caller, request.params.bucket, name);
        if (request.method === "GET") streams.watch(reply.raw, stillAllowed(caller, object));
        return answer(request, reply, object).catch((error: unknown) => {
          throw refusalOf(error);
        });
      },
    });
  /** Rejects once the caller may have less of the object than when the answer began, or their session has ended. */
  const stillAllowed =
    (caller: Caller, object: StoredObject): AccessCheck =>
    async (maxAgeMs) => {
      const present = await findRecent(caller, object.bucket_id, object.name, maxAgeMs);
      if (present.version !== object.version || RANK[present.access] < RANK[object.access]) throw notFound();
      if (!(await sessions.isOpen(caller))) throw notFound();
    };
  return { route, bearer, signed };
}

const RANK: Record<Access, number> = { view: 0, copy: 1, original: 2 };

/** What a caller is told of bytes that can not be sent. */
function refusalOf(error: unknown) {
  // Between the question and the answer it went.
  if (error instanceof MissingBytesError) return notFound();
  if (error instanceof UnreadablePictureError) return new StorageError(422, "unreadable_picture", error.message);
  if (error instanceof UnreadableVideoError) return new StorageError(422, "unreadable_video", error.message);
  return error;
}
