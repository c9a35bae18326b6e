import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Files } from "../files/files.ts";
import { type ByteRange, type BytesKey, MissingBytesError } from "../files/object-store.ts";
import { UnreadableVideoError } from "../files/videos/video-error.ts";
import type { VideoCopy } from "../files/videos/videos.ts";
import type { StoredFile } from "./contents.ts";

/**
 * The form of a download: the original, a copy without location and device, a smaller copy, a page of a paper, or a photo's
 * video.
 */
export type Form = "original" | "copy" | "small" | "large" | "motion" | `page-${number}`;

export interface FileForm {
  object: Pick<StoredFile, "id" | "bucket" | "version" | "type" | "size" | "edit">;
  form: Form;
  /** The front of a print whose back `object` is: who may have a copy of the front may have one of the back. */
  front?: Pick<StoredFile, "id" | "version">;
}

/** A readable form of an object. */
export interface OpenForm {
  type: string;
  size: number;
  read(range?: ByteRange): Promise<Readable>;
}

/** Widths in pixels of the pictures in a page and in the lightbox. */
const WIDTHS = { small: 640, large: 1600, copy: "full" } as const;

/**
 * Opens a form of an object, and makes it first if needed. Rejects with `UnreadablePictureError`,
 * `UnreadableVideoError` or `MissingBytesError`.
 */
export async function openForm(files: Files, { object, form }: FileForm): Promise<OpenForm> {
  const key = { bucket: object.bucket, version: object.version };
  if (form === "original") {
    return { type: object.type, size: object.size, read: (range) => files.objects.read(key, range) };
  }
  if (form === "copy" && /^(video|audio)\//.test(object.type)) {
    return videoForm(await files.videos.shared({ ...key, size: object.size, type: object.type }));
  }
  if (form === "motion") {
    const video = await files.videos.motion(key);
    if (!video) throw new UnreadableVideoError("the photo has no video");
    return videoForm(video);
  }
  const picture = { ...key, edit: object.edit };
  const { path, size, type } = await (isPage(form)
    ? files.renditions.file(picture, "full", "webp", Number(form.slice(PAGE.length)))
    : files.renditions.file(picture, WIDTHS[form]));
  return { type, size, read: (range) => openLocal(key, path, range) };
}

const PAGE = "page-";
const isPage = (form: Form): form is `page-${number}` => form.startsWith(PAGE);

const videoForm = ({ type, size, open: read }: VideoCopy): OpenForm => ({
  type,
  size,
  read: async (range) => {
    const bytes = await read(range);
    return Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes;
  },
});

async function openLocal(key: BytesKey, path: string, range?: ByteRange): Promise<Readable> {
  const handle = await open(path).catch((cause: unknown) => {
    throw new MissingBytesError(key, { cause });
  });
  return handle.createReadStream(range);
}
