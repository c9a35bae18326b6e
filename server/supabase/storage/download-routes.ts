import { open } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Caller } from "../../database/as-caller.ts";
import type { StorageContext } from "./context.ts";
import { renamed } from "./disposition.ts";
import { type Answer, type Asked, objectAnswers } from "./object-answers.ts";
import { MissingBytes } from "./object-store.ts";
import type { StoredObject } from "./objects.ts";
import { isWidth, type RenditionFile, type Size, WIDTHS } from "./renditions.ts";
import { type Sendable, sendBytes } from "./send.ts";
import { badRequest } from "./storage-error.ts";

/** `GET` and `HEAD` of bytes: originals and copies, by bearer and by signed URL. */
export function downloadRoutes(app: FastifyInstance, context: StorageContext) {
  const { route, bearer, signed } = objectAnswers(app, context);

  const original: Answer = async (request, reply, object, caller) => {
    if (!mayHaveOriginal(object, caller)) {
      if (object.metadata.mimetype.startsWith("image/")) return copy(request, reply, object, "full");
      if (object.metadata.mimetype.startsWith("video/")) return cleanedVideo(request, reply, object);
    }
    const bytes: Sendable = {
      type: object.metadata.mimetype,
      size: object.metadata.size,
      etag: object.metadata.eTag,
      modified: new Date(object.metadata.lastModified),
      open: (range) => context.files.objects.read(keyOf(object), range),
    };
    return sendBytes(request, reply, bytes, saveName(request, object));
  };

  const cleanedVideo = async (request: Asked, reply: FastifyReply, object: StoredObject) => {
    const { size, mimetype, lastModified } = object.metadata;
    const video = await context.files.videos.cleaned({ ...keyOf(object), size, type: mimetype });
    const bytes = { ...video, etag: `"${object.version}-cleaned"`, modified: new Date(lastModified) };
    return sendBytes(request, reply, bytes, saveName(request, object));
  };

  const picture: Answer = async (request, reply, object) => {
    const width = Number(request.query.width);
    if (!isWidth(width)) throw badRequest(`width must be one of ${WIDTHS.join(", ")}`);
    return copy(request, reply, object, width);
  };

  const copy = async (request: Asked, reply: FastifyReply, object: StoredObject, size: Size) => {
    if (!object.metadata.mimetype.startsWith("image/")) throw badRequest("Only pictures have copies in other sizes");
    const file = await context.files.renditions.file(keyOf(object), size);
    const saveAs = saveName(request, object);
    const bytes = sendableCopy(file, `"${object.version}-${size}"`, object);
    return sendBytes(request, reply, bytes, saveAs && renamed(saveAs, file.type.slice("image/".length)));
  };

  route("/object/sign/:bucket/*", signed, original);
  route("/object/authenticated/:bucket/*", bearer, original);
  route("/object/:bucket/*", bearer, original);
  route("/render/image/sign/:bucket/*", signed, picture);
  route("/render/image/authenticated/:bucket/*", bearer, picture);
}

/** Originals may tell where and with what they were made, so they go only to whom they belong. */
const mayHaveOriginal = (object: StoredObject, caller: Caller) =>
  caller.role === "service_role" || (caller.sub !== undefined && object.owner_id === caller.sub);

const keyOf = (object: StoredObject) => ({ bucket: object.bucket_id, version: object.version });

const sendableCopy = (file: RenditionFile, etag: string, object: StoredObject): Sendable => ({
  type: file.type,
  size: file.size,
  etag,
  modified: new Date(object.metadata.lastModified),
  async open(range) {
    const handle = await open(file.path).catch((cause) => {
      throw new MissingBytes(keyOf(object), { cause });
    });
    return handle.createReadStream(range);
  },
});

/** Under which name the client wants to save it: `?download=` means the object's own. */
function saveName({ query }: Asked, object: StoredObject): string | undefined {
  if (query.download === undefined) return undefined;
  return query.download || object.name.split("/").at(-1);
}
