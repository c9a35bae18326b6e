import type { FastifyInstance } from "fastify";
import type { StorageContext } from "./context.ts";
import { type Answer, objectHandlers } from "./object-handlers.ts";
import { sendBytes } from "./send.ts";
import { notFound } from "./storage-error.ts";

/**
 * `GET` and `HEAD` of the copies of videos that play everywhere, and of the videos that play when a picture is pressed, for
 * whoever may see the video or the picture.
 */
export function videoRoutes(app: FastifyInstance, context: StorageContext) {
  const { route, bearer, signed } = objectHandlers(app, context);
  const playable: Answer = async (request, reply, { bucket_id: bucket, version, metadata }) => {
    const { videos } = context.files;
    const copy = await (metadata.mimetype.startsWith("image/") ? videos.motion : videos.playable)({ bucket, version });
    if (!copy) throw notFound();
    const modified = new Date(metadata.lastModified);
    return sendBytes(request, reply, { ...copy, etag: `"${version}-playable"`, modified });
  };
  route("/render/video/sign/:bucket/*", signed, playable);
  route("/render/video/authenticated/:bucket/*", bearer, playable);
}
