import { PDF } from "./paper-format.ts";
import { RAW_FORMATS } from "./photo-format.ts";
import { DV } from "./video-format.ts";

/** The accepted media types of photos, videos, recordings and papers, with their file extensions. */
export const MEDIA_EXTENSIONS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/tiff": "tif",
  "image/heic": "heic",
  "image/heif": "heif",
  "image/jxl": "jxl",
  "image/jp2": "jp2",
  "image/j2c": "j2k",
  "image/bmp": "bmp",
  "image/vnd.adobe.photoshop": "psd",
  ...Object.fromEntries(RAW_FORMATS.map((format) => [`image/x-${format.toLowerCase()}`, format.toLowerCase()])),
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/matroska": "mkv",
  "video/vnd.avi": "avi",
  "video/mp2t": "mts",
  "video/mpeg": "mpg",
  "video/x-ms-asf": "wmv",
  [DV]: "dv",
  "audio/mp4": "m4a",
  "audio/mpeg": "mp3",
  "audio/aac": "aac",
  "audio/wav": "wav",
  "audio/aiff": "aiff",
  "audio/flac": "flac",
  "audio/ogg": "ogg",
  "audio/webm": "weba",
  "audio/matroska": "mka",
  "audio/amr": "amr",
  "audio/x-caf": "caf",
  "audio/x-ms-wma": "wma",
  [PDF]: "pdf",
};

/** Whether files of this type are shown as pictures: photos, and papers by their pages. */
export const isPicture = (type: string): boolean => type.startsWith("image/") || type === PDF;
