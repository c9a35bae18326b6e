import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import type { StorageContext } from "./context.ts";
import { objectName } from "./names.ts";
import { MissingBytes } from "./object-store.ts";
import type { StoredObject } from "./objects.ts";
import { UnreadablePicture } from "./pictures.ts";
import { notFound, StorageError } from "./storage-error.ts";
import { UnreadableVideo } from "./video/video-error.ts";

interface Named {
  Params: { bucket: string; "*": string };
  Querystring: { token?: string; download?: string; width?: string };
}
export type Asked = FastifyRequest<Named>;
/** Sends bytes of an object that the caller may see. */
export type Answer = (request: Asked, reply: FastifyReply, object: StoredObject) => Promise<FastifyReply>;
type WhoAsks = (request: Asked) => Promise<Caller>;

/**
 * Routes for `GET` and `HEAD` of objects, by bearer and by signed URL. Every byte sent is behind one question, which the
 * row policies answer.
 */
export function objectAnswers(app: FastifyInstance, { findRecent, openUrl, callerOf }: StorageContext) {
  const bearer: WhoAsks = (request) => callerOf(request);
  const signed: WhoAsks = ({ params, query }) => openUrl(query.token, `${params.bucket}/${params["*"]}`);
  const route = (url: string, whoAsks: WhoAsks, answer: Answer) =>
    app.route<Named>({
      method: ["GET", "HEAD"],
      url,
      exposeHeadRoute: false,
      async handler(request, reply) {
        const caller = await whoAsks(request);
        const object = await findRecent(caller, request.params.bucket, objectName(request.params["*"]));
        return answer(request, reply, object).catch((error: unknown) => {
          throw refusalOf(error);
        });
      },
    });
  return { route, bearer, signed };
}

/** What a caller is told of bytes that can not be sent. */
function refusalOf(error: unknown) {
  // Between the question and the answer it went.
  if (error instanceof MissingBytes) return notFound();
  if (error instanceof UnreadablePicture) return new StorageError(422, "unreadable_picture", error.message);
  if (error instanceof UnreadableVideo) return new StorageError(422, "unreadable_video", error.message);
  return error;
}
