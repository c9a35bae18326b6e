import sharp from "sharp";
import { isRaw, photoFormat } from "../../../shared/photo-format.ts";
import { BITMAP_HEAD_BYTES, bitmapSize } from "./bitmap.ts";
import { type DecodedPicture, decoderThreads } from "./decoder-thread.ts";
import { decodingBytes, MOST_PIXELS } from "./decoding-bytes.ts";
import type { HdrColours } from "./hdr.ts";
import { JPEG_2000_HEAD_BYTES, jpeg2000Bytes, jpeg2000Header } from "./jpeg-2000.ts";
import { JPEG_XL_HEAD_BYTES, jpegXlSize } from "./jpeg-xl.ts";
import { paperPage } from "./paper.ts";
import { flattenedPhotoshop, photoshopHeader } from "./photoshop.ts";
import { rawPreview } from "./raw-preview.ts";
import { bytesOf, type ForeignPicture, reading, type Source } from "./sources.ts";

/**
 * Reads the header of a raw photo, of a JPEG XL, JPEG 2000, BMP or Photoshop picture, or of a page of a PDF. Resolves to
 * undefined for other files, and for a raw photo without a preview. Rejects if the header is damaged.
 */
export async function foreignPicture(source: Source, page = 1): Promise<ForeignPicture | undefined> {
  const format = await reading(source, photoFormat);
  if (!format) return paperPage(source, page);
  if (isRaw(format)) return rawPicture(source);
  const picture = await HEADERS[format]?.(source);
  if (!picture) throw new Error(`The header of a picture of type ${format} is damaged`);
  return { orientation: 1, ...picture };
}

type Header = (source: Source) => Promise<Omit<ForeignPicture, "orientation"> | undefined>;

const headOf = (source: Source, length: number) => reading(source, (read) => read(0, length));

const decoded = decoderThreads("formats-worker");

/** Decodes an AVIF or PNG in HDR, with the profile that maps its tones; rejects if it is damaged. */
export const decodeHdr = (bytes: Buffer, hdr: HdrColours): Promise<DecodedPicture> => decoded(bytes, { hdr });

/** Bytes per pixel as measured, rounded up: floating point numbers of libjxl and the copies of their 8 bits. */
const JPEG_XL_BYTES_PER_PIXEL = 46;
/** Pixels in RGBA, and the copy that sharp reads. */
const BITMAP_BYTES_PER_PIXEL = 12;
const PHOTOSHOP_HEAD_BYTES = 64;

const HEADERS: Record<string, Header | undefined> = {
  async "image/jxl"(source) {
    const size = jpegXlSize(await headOf(source, JPEG_XL_HEAD_BYTES));
    return (
      size && {
        ...size,
        decodingBytes: size.width * size.height * JPEG_XL_BYTES_PER_PIXEL,
        decode: async () => (await decoded(await bytesOf(source), { format: "image/jxl" })).tiff,
      }
    );
  },
  "image/jp2": jpeg2000,
  "image/j2c": jpeg2000,
  async "image/bmp"(source) {
    const size = bitmapSize(await headOf(source, BITMAP_HEAD_BYTES));
    return (
      size && {
        ...size,
        decodingBytes: size.width * size.height * BITMAP_BYTES_PER_PIXEL,
        decode: async () => (await decoded(await bytesOf(source), { format: "image/bmp" })).tiff,
      }
    );
  },
  async "image/vnd.adobe.photoshop"(source) {
    const header = photoshopHeader(await headOf(source, PHOTOSHOP_HEAD_BYTES));
    if (!header) return undefined;
    const { width, height, channels, depth } = header;
    const size = await reading(source, async (_read, bytes) => bytes);
    // The file, the copy of its flattened picture, and some rows of all planes.
    const bytes = 2 * size + width * Math.min(channels, 5) * Math.ceil(depth / 8) * 2000;
    return { width, height, decodingBytes: bytes, decode: async () => flattenedPhotoshop(await bytesOf(source)) };
  },
};

async function jpeg2000(source: Source) {
  const header = jpeg2000Header(await headOf(source, JPEG_2000_HEAD_BYTES));
  if (!header) return undefined;
  const { halvings, profile } = header;
  const format = "image/jp2";
  const options = { format, halvings, profile: profile && new Uint8Array(profile) };
  return {
    width: Math.ceil(header.width / 2 ** halvings),
    height: Math.ceil(header.height / 2 ** halvings),
    decodingBytes: header.width * header.height > MOST_PIXELS ? Number.POSITIVE_INFINITY : jpeg2000Bytes(header),
    decode: async () => (await decoded(await bytesOf(source), options)).tiff,
  };
}

/** The maximum size of a preview; of the largest cameras, it has some 20 MB. */
const MOST_PREVIEW_BYTES = 50 * 1024 * 1024;

/** The JPEG from the preview's beginning on; what follows it is ignored by decoders. */
export async function rawPreviewBytes(source: Source): Promise<Buffer | undefined> {
  const preview = await rawPreview(source);
  return preview && reading(source, (read) => read(preview.at, MOST_PREVIEW_BYTES));
}

async function rawPicture(source: Source): Promise<ForeignPicture | undefined> {
  const preview = await rawPreview(source);
  if (!preview) return undefined;
  const decode = () => reading(source, (read) => read(preview.at, MOST_PREVIEW_BYTES));
  const facts = await sharp(await decode(), { failOn: "none" }).metadata();
  return {
    width: facts.width,
    height: facts.height,
    // A preview that tells its own orientation is turned by it.
    orientation: facts.orientation ?? preview.orientation,
    decodingBytes: decodingBytes(facts),
    decode,
  };
}
