import { editKey } from "../../../shared/edit-key.ts";
import type { PhotoEdit } from "../../../shared/photo-edit.ts";

/** The widths in pixels of the server's renditions. */
export const RENDITION_WIDTHS = [320, 640, 960, 1600, 2560] as const;

export type RenditionWidth = (typeof RENDITION_WIDTHS)[number];

/** The path of an object in a public bucket, on the server and in the browser. */
export const publicUrl = (bucket: string, name: string) => `/storage/v1/object/public/${bucket}/${name}`;

/** The URL of a photo scaled to `width` pixels, from the signed or public URL of its original. */
export const renditionUrl = (url: string, width: RenditionWidth): string =>
  `${url.replace(/\/storage\/v1\/object\/(?=sign|public)/, "/storage/v1/render/image/")}${url.includes("?") ? "&" : "?"}width=${width}`;

/** The signed URL of a picture as an edit shows it, so that browsers load it again after an edit. */
export const editedUrl = (signedUrl: string, edit: PhotoEdit | null | undefined): string =>
  edit ? `${signedUrl}&edit=${editKey(edit)}` : signedUrl;

/** The signed URL of a paper's page, from which those of its renditions derive. */
export const pageUrl = (signedUrl: string, page: number): string =>
  page === 1 ? signedUrl : `${signedUrl}&page=${page}`;

/** The signed URL of the back of a print, from which those of its renditions derive. */
export const backUrl = (signedUrl: string): string => `${signedUrl}&side=back`;

/** The `sizes` attribute of a cover on a memory's page. */
export const COVER_SIZES = "(min-width: 64rem) 60vw, 100vw";

/** A `srcset` up to the first width that is not smaller than the photo, because renditions are never enlarged. */
export function renditionSrcSet(signedUrl: string, photoWidth: number | null): string {
  const enough = RENDITION_WIDTHS.findIndex((width) => photoWidth !== null && width >= photoWidth);
  const widths = enough === -1 ? RENDITION_WIDTHS : RENDITION_WIDTHS.slice(0, enough + 1);
  return widths
    .map((width) => `${renditionUrl(signedUrl, width)} ${photoWidth === null ? width : Math.min(width, photoWidth)}w`)
    .join(", ");
}

/** The URL of a video's playback copy, from the signed URL of its original. */
export function playableUrl(signedUrl: string): string {
  const url = new URL(signedUrl);
  url.pathname = url.pathname.replace("/storage/v1/object/sign/", "/storage/v1/render/video/sign/");
  return url.href;
}

/**
 * The URL for saving a file under its own name: the original for its owner, a copy for others. An edited photo can be saved
 * as it is `shown` also by its owner.
 */
export function downloadUrl(signedUrl: string, fileName: string, { shown = false } = {}): string {
  const url = new URL(signedUrl);
  url.searchParams.set("download", fileName);
  if (shown) url.searchParams.set("shown", "1");
  return url.href;
}
