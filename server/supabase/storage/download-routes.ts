import { extname } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { blurKey, editKey } from "../../../shared/edit-key.ts";
import { isPicture, MEDIA_EXTENSIONS } from "../../../shared/media-types.ts";
import { MOST_PAGES, PDF } from "../../../shared/paper-format.ts";
import { type Caller, VISITOR } from "../../database/as-caller.ts";
import { type ByteRange, type BytesKey, MissingBytesError, readLocal } from "../../files/object-store.ts";
import { type CopySize, formatFor, isWidth, WIDTHS } from "../../files/pictures/copies.ts";
import { UnreadablePictureError } from "../../files/pictures/pictures.ts";
import type { RenditionFile } from "../../files/pictures/renditions.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { soundType } from "../../files/videos/videos.ts";
import { SessionEndedError } from "../callers.ts";
import type { Routes } from "../route-schemas.ts";
import type { AccessCheck } from "../stream-guard.ts";
import type { StorageContext } from "./context.ts";
import { type Access, findOtherSide, type OtherSide, type StoredObject } from "./objects.ts";
import { Named, objectName } from "./requests.ts";
import { isUnchanged, renamed, type Sendable, sendBytes, sendUnchanged } from "./send.ts";
import { badRequest, notFound, StorageError } from "./storage-error.ts";

const Wishes = z.object({
  token: z.string().optional(),
  download: z.string().optional(),
  width: z.string().optional(),
  page: z.string().optional(),
  side: z.literal("back").optional(),
  /** Sends a picture as it is shown, also to those who may have the original. */
  shown: z.string().optional(),
  /** Sends a picture as its file is, to those who may have the original. */
  unedited: z.string().optional(),
  /** The edit that the client expects, so that an older answer about the object is not used. */
  edit: z.string().max(100).optional(),
});
type ObjectRequest = FastifyRequest<{ Params: z.output<typeof Named>; Querystring: z.output<typeof Wishes> }>;
type Answer = (
  request: ObjectRequest,
  reply: FastifyReply,
  object: StoredObject,
  caller: Caller,
) => Promise<FastifyReply>;
type WhoAsks = (request: ObjectRequest) => Promise<Caller>;

/** Serves `GET` and `HEAD` of objects, by bearer or signed URL. Checks row policies before and while bytes are sent. */
function objectHandlers(app: Routes, { sessions, streams, findRecent, openUrl, callerOf }: StorageContext) {
  const bearer: WhoAsks = (request) => callerOf(request);
  const anybody: WhoAsks = async () => VISITOR;
  const signed: WhoAsks = async ({ params, query }) => {
    const caller = await openUrl(query.token, `${params.bucket}/${params["*"]}`);
    if (!(await sessions.isOpen(caller))) throw new SessionEndedError();
    return caller;
  };
  const route = (url: string, whoAsks: WhoAsks, answer: Answer, hidden?: () => StorageError) =>
    app.route({
      method: ["GET", "HEAD"],
      url,
      exposeHeadRoute: false,
      schema: { params: Named, querystring: Wishes },
      async handler(request, reply) {
        const caller = await whoAsks(request);
        const name = objectName(request.params["*"]);
        const find = (maxAgeMs?: number) =>
          findRecent(caller, request.params.bucket, name, maxAgeMs).catch((error: unknown) => {
            throw hidden && error instanceof StorageError && error.status === 404 ? hidden() : error;
          });
        const recent = await find();
        // Another process may have stored the edit a moment ago.
        const isExpected = [undefined, editKey(recent.edit)].includes(request.query.edit);
        const object = isExpected || request.query.side ? recent : await find(0);
        if (request.method === "GET") streams.watch(reply.raw, stillAllowed(caller, object));
        return answer(request, reply, object, caller).catch((error: unknown) => {
          throw refusalOf(error);
        });
      },
    });
  /** Returns a check that rejects once the caller has lost access since the start, or their session has ended. */
  const stillAllowed =
    (caller: Caller, object: StoredObject): AccessCheck =>
    async (maxAgeMs) => {
      const present = await findRecent(caller, object.bucket_id, object.name, maxAgeMs);
      if (present.version !== object.version || RANK[present.access] < RANK[object.access]) throw notFound();
      if (object.access !== "original" && blurKey(present.edit) !== blurKey(object.edit)) throw notFound();
      if (!(await sessions.isOpen(caller))) throw notFound();
    };
  return { route, bearer, signed, anybody };
}

const RANK: Record<Access, number> = { view: 0, copy: 1, original: 2 };

/** Returns the error for bytes that cannot be sent. */
function refusalOf(error: unknown) {
  // The object was deleted between the permission check and the read.
  if (error instanceof MissingBytesError) return notFound();
  if (error instanceof UnreadablePictureError) return new StorageError(422, "unreadable_picture", error.message);
  if (error instanceof UnreadableVideoError) return new StorageError(422, "unreadable_video", error.message);
  return error;
}

/** Registers `GET` and `HEAD` of bytes: originals and copies, by bearer and by signed URL. */
export function downloadRoutes(app: Routes, context: StorageContext) {
  const { route, bearer, signed, anybody } = objectHandlers(app, context);

  const whole: Answer = async (request, reply, object) => {
    const [kind] = object.metadata.mimetype.split("/");
    const isShown = request.query.shown !== undefined && object.edit !== null && kind === "image";
    if (object.access === "original" && !isShown) return original(request, reply, object);
    if (object.access === "view" && kind !== "video" && kind !== "audio") throw downloadForbidden();
    if (isPicture(object.metadata.mimetype)) return copy(request, reply, object, "full");
    if (kind === "video" || kind === "audio") return sharedVideo(request, reply, object);
    throw new StorageError(
      403,
      "no_copy",
      "Only whoever added this file can save it: it cannot be copied without its hidden facts",
    );
  };

  const original = (request: ObjectRequest, reply: FastifyReply, object: StoredObject) => {
    const { objects } = context.files;
    const { url } = objects;
    const bytes: Sendable = {
      type: object.metadata.mimetype,
      size: object.metadata.size,
      etag: object.metadata.eTag,
      modified: new Date(object.metadata.lastModified),
      open: (range) => objects.send({ ...keyOf(object), crc32: object.metadata.crc32 }, object.metadata.size, range),
      ...(url && { url: (as) => url(keyOf(object), as) }),
    };
    // A paper is saved, never opened: it may contain scripts, forms and links.
    const saveAs = saveName(request, object) ?? (bytes.type === PDF ? object.name.split("/").at(-1) : undefined);
    return sendBytes(request, reply, bytes, saveAs);
  };

  const sharedVideo = async (request: ObjectRequest, reply: FastifyReply, object: StoredObject) => {
    const saveAs = saveName(request, object);
    const { size, mimetype, lastModified } = object.metadata;
    const video = await context.files.videos.shared({ ...keyOf(object), size, type: mimetype });
    const bytes = { ...video, etag: `"${object.version}-${video.kind}"`, modified: new Date(lastModified) };
    // A recording of the same type may have an ending of videos, e.g. `.3gp`.
    const isRenamed = saveAs !== undefined && (video.type !== mimetype || mimetype.startsWith("audio/"));
    return sendBytes(
      request,
      reply,
      bytes,
      isRenamed ? renamed(saveAs, MEDIA_EXTENSIONS[video.type] ?? extname(video.kind).slice(1)) : saveAs,
    );
  };

  const picture: Answer = async (request, reply, object, caller) => {
    const width = Number(request.query.width);
    if (!isWidth(width)) throw badRequest(`width must be one of ${WIDTHS.join(", ")}`);
    reply.header("vary", "Accept");
    const side = request.query.side ? await findOtherSide(context.db, caller, object) : object;
    const isUnedited = request.query.unedited !== undefined && object.access === "original";
    const edit = isUnedited ? null : side.edit;
    return copy(request, reply, { ...side, edit, name: object.name, access: object.access }, width);
  };

  const copy = async (request: ObjectRequest, reply: FastifyReply, object: ShownObject, size: CopySize) => {
    const { mimetype, lastModified } = object.metadata;
    if (!isPicture(mimetype)) throw badRequest("Only pictures have copies in other sizes");
    const page = pageOf(request);
    const saveAs = saveName(request, object);
    const format = formatFor(size, request.headers.accept);
    const tag = {
      etag: `"${[object.version, editKey(object.edit), page > 1 && page, size, format].filter(Boolean).join("-")}"`,
      modified: new Date(lastModified),
    };
    // A client with a current copy causes no disk access.
    if (isUnchanged(request, tag)) return sendUnchanged(reply, tag);
    const file = await context.files.renditions.file({ ...keyOf(object), edit: object.edit }, size, format, page);
    const bytes = { ...tag, ...sendableCopy(file, keyOf(object)) };
    return sendBytes(request, reply, bytes, saveAs && renamed(saveAs, file.type.slice("image/".length)));
  };

  route("/object/sign/:bucket/*", signed, whole);
  route("/object/authenticated/:bucket/*", bearer, whole);
  route("/object/public/:bucket/*", anybody, whole, notPublic);
  route("/object/:bucket/*", bearer, whole);
  route("/render/image/sign/:bucket/*", signed, picture);
  route("/render/image/authenticated/:bucket/*", bearer, picture);
  route("/render/image/public/:bucket/*", anybody, picture, notPublic);
}

/** The answer to a public URL of an object that not everybody may read, whether or not it exists. */
const notPublic = () =>
  new StorageError(
    404,
    "not_supported",
    "Buckets are not public on this server. A public URL opens an object that row policies let everybody read.",
  );

const downloadForbidden = () =>
  new StorageError(403, "download_not_allowed", "This may be looked at here, and not be downloaded");

/** An object, or the other side of one with its name and access. */
type ShownObject = OtherSide & Pick<StoredObject, "name" | "access">;

const keyOf = (object: OtherSide) => ({ bucket: object.bucket_id, version: object.version });

const sendableCopy = ({ path, size, type }: RenditionFile, key: BytesKey) => ({
  size,
  type,
  open: (range?: ByteRange) =>
    readLocal(path, size, range).catch((cause) => {
      throw new MissingBytesError(key, { cause });
    }),
});

/** The page of a paper in `?page=`; the first if it is absent. */
function pageOf({ query }: ObjectRequest): number {
  const page = Number(query.page ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > MOST_PAGES) throw badRequest("There is no such page");
  return page;
}

/** Returns the file name of `?download=` (if empty, the object's own). Refuses callers who may only view. */
function saveName({ query }: ObjectRequest, object: Pick<StoredObject, "name" | "access">): string | undefined {
  if (query.download === undefined) return undefined;
  if (object.access === "view") throw downloadForbidden();
  return query.download || object.name.split("/").at(-1);
}

/** Registers `GET` and `HEAD` of playback and motion copies, for all callers who may see the video or picture. */
export function videoRoutes(app: Routes, context: StorageContext) {
  const { route, bearer, signed } = objectHandlers(app, context);
  const playable: Answer = async (request, reply, { bucket_id: bucket, version, metadata, edit }) => {
    const { videos } = context.files;
    // The video of a photo would show what was cut off.
    if (edit && metadata.mimetype.startsWith("image/")) throw notFound();
    const copy = await (metadata.mimetype.startsWith("image/") ? videos.motion : videos.playable)({ bucket, version });
    if (!copy) throw notFound();
    const modified = new Date(metadata.lastModified);
    const type = metadata.mimetype.startsWith("audio/") ? soundType(copy.type) : copy.type;
    return sendBytes(request, reply, { ...copy, type, etag: `"${version}-playable"`, modified });
  };
  route("/render/video/sign/:bucket/*", signed, playable);
  route("/render/video/authenticated/:bucket/*", bearer, playable);
}
