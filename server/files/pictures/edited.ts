import sharp, { type Sharp } from "sharp";
import { type Box, editedSize, frameOf, type PhotoEdit } from "../../../shared/photo-edit.ts";
import { MOST_PIXELS } from "./decoding-bytes.ts";
import { type Picture, UnreadablePictureError } from "./pictures.ts";
import type { Size } from "./sources.ts";

/** The most pixels of a picture while it is turned, because turning needs all in memory. Larger ones are reduced. */
const MOST_TURNED_PIXELS = 50_000_000;
/** The maximum height of a copy. */
const HIGHEST = 16_383;
/** How many colours are left along the longer side of a blurred part: too few for a face, a word or a number. */
const BLURRED_SIDE = 4;
/**
 * Bytes per pixel of the reduced picture while it is edited: its pixels, those of the straightened picture, which has up to
 * twice as many, and those of the crop.
 */
const EDITING_BYTES = 16;
/** Bytes per pixel while a part is blurred, which may be the whole picture. */
const BLURRING_BYTES = 8;

/** The factor by which a picture is reduced before it is edited, for a copy of this width; all pixels without one. */
function reduction(picture: Size, edit: PhotoEdit, width: number | undefined): number {
  const shown = editedSize(picture, edit);
  const bounds = width === undefined ? 1 : Math.min(width / shown.width, HIGHEST / shown.height);
  return Math.min(1, bounds, Math.sqrt(MOST_TURNED_PIXELS / (picture.width * picture.height)));
}

/** The memory in bytes for editing a picture, without decoding and encoding. */
export function editingBytes(picture: Size, edit: PhotoEdit, width: number | undefined): number {
  const factor = reduction(picture, edit, width);
  const bytes = EDITING_BYTES + (edit.blur ? BLURRING_BYTES : 0);
  return picture.width * picture.height * factor * factor * bytes;
}

/**
 * A picture as an edit shows it, decoded for copies of up to this width, or with all its pixels. Rejects with
 * `UnreadablePictureError`.
 */
export async function edited(picture: Picture, edit: PhotoEdit, width: number | undefined): Promise<Picture> {
  const factor = reduction(picture, edit, width);
  const shown = editedSize(picture, edit);
  const size = {
    width: Math.max(1, Math.round(shown.width * factor)),
    height: Math.max(1, Math.round(shown.height * factor)),
  };
  const still = await raw(reduced(picture.pixels(), picture, factor));
  const { data, info } = await framed(still.data, still.info, edit, size);
  const { moving } = picture;
  return {
    ...size,
    animated: picture.animated,
    turned: false,
    pixels: () => sharp(data, { raw: info, limitInputPixels: MOST_PIXELS }),
    ...(moving && { moving: async () => movingEdited(reduced(await moving(), picture, factor), edit, size) }),
  };
}

const reduced = (pixels: Sharp, { width }: Size, factor: number): Sharp => {
  const shown = pixels.toColourspace("srgb");
  return factor < 1
    ? shown.resize({ width: Math.max(1, Math.round(width * factor)), withoutEnlargement: true })
    : shown;
};

interface RawPicture {
  data: Buffer;
  info: Size & { channels: 1 | 2 | 3 | 4 };
}

const raw = (pixels: Sharp): Promise<RawPicture> =>
  pixels
    .raw()
    .toBuffer({ resolveWithObject: true })
    .then(
      ({ data, info: { width, height, channels } }) => ({ data, info: { width, height, channels } }),
      (cause: unknown) => {
        throw cause instanceof UnreadablePictureError ? cause : new UnreadablePictureError({ cause });
      },
    );

/**
 * Blurs parts of raw pixels in place. Each part is replaced by a few mean colours, mixed into each other. The rest is lost,
 * so that nothing can be computed back.
 */
async function blur(data: Buffer, info: RawPicture["info"], parts: readonly Box[]): Promise<void> {
  for (const [left, top, width, height] of parts) {
    // Reducing has mixed pixels at the border with those beside it.
    const [across, right] = widened(left, width, info.width);
    const [down, bottom] = widened(top, height, info.height);
    const size = { width: right - across, height: bottom - down };
    // In a small copy each colour still covers several pixels.
    const pixels = Math.max(Math.max(size.width, size.height) / BLURRED_SIDE, 4);
    const few = {
      width: Math.max(1, Math.round(size.width / pixels)),
      height: Math.max(1, Math.round(size.height / pixels)),
    };
    const open = (picture: RawPicture) => sharp(picture.data, { raw: picture.info, limitInputPixels: MOST_PIXELS });
    const inside = await raw(open({ data, info }).extract({ left: across, top: down, ...size }));
    const colours = await raw(open(inside).resize({ ...few, fit: "fill", kernel: "linear" }));
    const blurred = await raw(open(colours).resize({ ...size, fit: "fill", kernel: "cubic" }));
    if (blurred.info.channels !== info.channels) throw new Error("A blurred part has other channels than its picture");
    const row = size.width * info.channels;
    for (let line = 0; line < size.height; line++) {
      blurred.data.copy(data, ((down + line) * info.width + across) * info.channels, line * row, (line + 1) * row);
    }
  }
}

/** The first pixel of a part, and the one after its last, with a pixel more on both sides. */
const widened = (begin: number, length: number, pixels: number): [number, number] => [
  Math.max(0, Math.floor(begin * pixels) - 1),
  Math.min(pixels, Math.ceil((begin + length) * pixels) + 1),
];

/** Blurs, turns, straightens and crops raw pixels. */
async function framed(data: Buffer, info: RawPicture["info"], edit: PhotoEdit, size: Size): Promise<RawPicture> {
  if (edit.blur) await blur(data, info, edit.blur);
  const open = (picture: RawPicture) => sharp(picture.data, { raw: picture.info, limitInputPixels: MOST_PIXELS });
  const angle = edit.turn + edit.straighten;
  const turned = angle === 0 ? { data, info } : await raw(open({ data, info }).rotate(angle, { background: "#000" }));
  // The corners of a straightened picture are mixed with what is beside it.
  const margin = edit.straighten === 0 ? 0 : 1;
  const frame = frameOf(info, edit);
  const [left, top, width, height] = edit.crop;
  const [across, right] = part(turned.info.width, frame.width, left, width, margin);
  const [down, bottom] = part(turned.info.height, frame.height, top, height, margin);
  const isWhole = right - across === turned.info.width && bottom - down === turned.info.height;
  const cropped = isWhole
    ? turned
    : await raw(open(turned).extract({ left: across, top: down, width: right - across, height: bottom - down }));
  if (cropped.info.width === size.width && cropped.info.height === size.height) return cropped;
  return raw(open(cropped).resize({ ...size, fit: "fill" }));
}

/** The first and the last pixel of a crop, in a frame in the middle of so many pixels. */
function part(pixels: number, frame: number, begin: number, length: number, margin: number): [number, number] {
  const start = (pixels - frame) / 2 + begin * frame;
  const first = Math.min(pixels - 1, Math.max(0, Math.round(start + margin)));
  return [first, Math.min(pixels, Math.max(first + 1, Math.round(start + length * frame - margin)))];
}

/** Edits each frame of an animation. */
async function movingEdited(frames: Sharp, edit: PhotoEdit, size: Size): Promise<Sharp> {
  // Frames of every origin then tell their times in the same way.
  const webp = await frames
    .webp({ lossless: true, effort: 0 })
    .toBuffer()
    .catch((cause: unknown) => {
      throw cause instanceof UnreadablePictureError ? cause : new UnreadablePictureError({ cause });
    });
  const options = { animated: true, limitInputPixels: MOST_PIXELS };
  const { width, height, pageHeight = height, pages = 1, delay = [], loop = 0 } = await sharp(webp, options).metadata();
  const { data } = await raw(sharp(webp, options).ensureAlpha());
  const bytes = width * pageHeight * 4;
  const info = { width, height: pageHeight, channels: 4 } as const;
  const pictures: Buffer[] = [];
  for (let frame = 0; frame < pages; frame++) {
    const pixels = await framed(data.subarray(frame * bytes, (frame + 1) * bytes), info, edit, size);
    pictures.push(pixels.data);
  }
  const all = { width: size.width, height: size.height * pages, channels: 4, pageHeight: size.height } as const;
  return sharp(Buffer.concat(pictures), { raw: all, animated: true, limitInputPixels: MOST_PIXELS }).webp({
    delay,
    loop,
  });
}
