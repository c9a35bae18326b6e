/** The widths in pixels that the server makes of a photo, smallest first. */
export const RENDITION_WIDTHS = [320, 640, 960, 1600, 2560] as const;

export type RenditionWidth = (typeof RENDITION_WIDTHS)[number];

/** The public address of an object in a public bucket, as a path: the same for server and browser. */
export const publicUrl = (bucket: string, name: string) => `/storage/v1/object/public/${bucket}/${name}`;

/** The address of a photo scaled to `width` pixels, made from the signed or public address of its original. */
export const renditionUrl = (url: string, width: RenditionWidth): string =>
  `${url.replace(/\/storage\/v1\/object\/(?=sign|public)/, "/storage/v1/render/image/")}${url.includes("?") ? "&" : "?"}width=${width}`;

/** As in HTML: how wide a memory's page shows its cover. */
export const COVER_SIZES = "100vw";

/** A `srcset` of every useful width: the first that is not smaller than the photo is the last, for none is enlarged. */
export function renditionSrcSet(signedUrl: string, photoWidth: number | null): string {
  const enough = RENDITION_WIDTHS.findIndex((width) => photoWidth !== null && width >= photoWidth);
  const widths = enough === -1 ? RENDITION_WIDTHS : RENDITION_WIDTHS.slice(0, enough + 1);
  return widths
    .map((width) => `${renditionUrl(signedUrl, width)} ${photoWidth === null ? width : Math.min(width, photoWidth)}w`)
    .join(", ");
}

/** The address of a video's copy that plays everywhere, made from the signed address of its original. */
export function playableUrl(signedUrl: string): string {
  const url = new URL(signedUrl);
  url.pathname = url.pathname.replace("/storage/v1/object/sign/", "/storage/v1/render/video/sign/");
  return url.href;
}

/** The address under which a browser saves the file by its own name: the original to its owner, a copy to others. */
export function downloadUrl(signedUrl: string, fileName: string): string {
  const url = new URL(signedUrl);
  url.searchParams.set("download", fileName);
  return url.href;
}
