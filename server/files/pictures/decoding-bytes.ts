import type { Metadata } from "sharp";

/** The maximum number of pixels of a picture. */
export const MOST_PIXELS = 268_500_000;
/** The memory in bytes for parallel decoding. A picture that needs more by itself is refused. */
export const MOST_DECODING_BYTES = 600_000_000;
/**
 * The maximum number of pixels of all frames of an animation, which are decoded at once. Of a larger animation, only
 * the first frame is shown.
 */
export const MOST_ANIMATED_PIXELS = 40_000_000;
/** The frames of an animated PNG or AVIF as raw pixels, and the encoder's copy of them. */
export const ANIMATION_BYTES = MOST_ANIMATED_PIXELS * 8;

/** The size of a pipeline's buffers. */
const PIPELINE_BYTES = 16_000_000;
/** The number of rows that decoders of row-by-row formats hold. */
const BUFFERED_ROWS = 2_000;

/** Formats that are decoded as a whole, with the bytes per pixel that were measured at their peak, rounded up. */
const WHOLE_BYTES_PER_PIXEL: Record<string, number | undefined> = {
  webp: 5,
  gif: 6,
  // AV1 by libheif and libaom, planes and conversions together.
  heif: 16,
};
/** Of a picture in HDR, beyond that: samples of 16 bits instead of 8, and the copy that sharp reads. */
export const HDR_BYTES_PER_PIXEL = 12;
/** HEVC by libheif in WebAssembly: planes, RGB and the copy that sharp reads. */
const HEVC_BYTES_PER_PIXEL = 10;
/** More for a picture with alpha: its plane, and a fourth sample in two copies. */
const HEVC_ALPHA_BYTES_PER_PIXEL = 4;

/** The number of samples that a JPEG stores for one pixel, all components together. */
const JPEG_SAMPLES: Record<string, number | undefined> = { "4:2:0": 1.5, "4:2:0:4": 2.5, "4:2:2": 2 };
/** The size of one coefficient of a progressive JPEG. All coefficients are kept until the last scan. */
const COEFFICIENT_BYTES = 2;

/** The peak memory of decoding a picture in bytes, estimated from its header. */
export function decodingBytes(facts: Metadata): number {
  const pixels = facts.width * facts.height;
  const channels = facts.channels ?? 4;
  const sampleBytes = SAMPLE_BYTES[facts.depth ?? "uchar"] ?? 8;
  // A JPEG is reduced while it is decoded.
  const rowBytes = facts.format === "jpeg" ? 0 : facts.width * channels * sampleBytes;
  const rows = rowBytes * Math.min(facts.height, BUFFERED_ROWS);
  return PIPELINE_BYTES + rows + pixels * wholeBytesPerPixel(facts, channels, sampleBytes);
}

const SAMPLE_BYTES: Record<string, number | undefined> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, float: 4 };

/** The bytes held for each pixel beyond the current rows. */
function wholeBytesPerPixel(facts: Metadata, channels: number, sampleBytes: number): number {
  if (facts.format === "heif" && facts.compression === "hevc")
    return HEVC_BYTES_PER_PIXEL + (facts.hasAlpha ? HEVC_ALPHA_BYTES_PER_PIXEL : 0);
  if (facts.format === "jpeg" && facts.isProgressive) {
    return COEFFICIENT_BYTES * (JPEG_SAMPLES[facts.chromaSubsampling ?? ""] ?? channels);
  }
  // An interlaced PNG is complete only with its last row.
  if (facts.isProgressive && facts.format === "png") return channels * sampleBytes + 1;
  return WHOLE_BYTES_PER_PIXEL[facts.format ?? ""] ?? 0;
}
