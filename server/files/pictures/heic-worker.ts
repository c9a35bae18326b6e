import { parentPort } from "node:worker_threads";
import libheif, { type HeifError } from "libheif-js/wasm-bundle.js";
import { MOST_DECODING_BYTES } from "./decoding-bytes.ts";

export interface HeicRequest {
  bytes: Uint8Array;
  /** The colour profile of the picture. */
  profile: Uint8Array | undefined;
}

export type HeicReply = { width: number; height: number; tiff: ArrayBuffer } | { error: string };

/** The size of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;

// The limits of a worker do not cover WebAssembly memory, and a picture may be larger than the file's header says.
// libheif reports an error when its memory cannot grow.
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * PAGE_BYTES > MOST_DECODING_BYTES)
    throw new RangeError("The picture is too large to decode");
  return grow.call(this, pages);
};

parentPort?.on("message", async (request: HeicRequest) => {
  try {
    const reply = await decode(request);
    parentPort?.postMessage(reply, [reply.tiff]);
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies HeicReply);
  }
});

/** Decodes the primary picture of a HEIC file, which is the chosen one of a burst. */
async function decode({ bytes, profile }: HeicRequest) {
  await libheif.ready;
  const context = libheif.heif_context_alloc();
  try {
    check(libheif.heif_context_read_from_memory(context, bytes));
    const handle = check(libheif.heif_js_context_get_primary_image_handle(context));
    const hasAlpha = libheif.heif_image_handle_has_alpha_channel(handle) !== 0;
    const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = libheif.heif_chroma;
    const decoded = check(
      await libheif.heif_js_decode_image2(
        handle,
        libheif.heif_colorspace.heif_colorspace_RGB,
        hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
      ),
    );
    const rgb = decoded.channels?.find(({ id }) => id === libheif.heif_channel.heif_channel_interleaved);
    if (!rgb) throw new Error("The picture has no colours");
    const { width, height, stride, data } = rgb;
    const alpha = hasAlpha && (libheif.heif_image_handle_is_premultiplied_alpha(handle) ? ASSOCIATED : UNASSOCIATED);
    const pixels: Pixels = { width, height, samples: hasAlpha ? 4 : 3, alpha: alpha || undefined, profile };
    const size = tiffBytes(pixels);
    // Twice the size of the pixels: libheif holds them too.
    if (size * 2 > MOST_DECODING_BYTES) throw new RangeError("Too many pixels");
    const tiff = new ArrayBuffer(size);
    const file = Buffer.from(tiff);
    const rowBytes = width * pixels.samples;
    for (let row = 0; row < height; row++) {
      file.set(data.subarray(row * stride, row * stride + rowBytes), TIFF_HEADER_BYTES + row * rowBytes);
    }
    describePixels(file, pixels);
    libheif.heif_image_release(decoded.image);
    libheif.heif_image_handle_release(handle);
    return { width, height, tiff };
  } finally {
    libheif.heif_context_free(context);
  }
}

function check<Result extends HeifError>(result: Result): Result {
  // libheif returns an error object also for success, with the code 0.
  if (result?.code?.value) throw new Error(result.message ?? "The picture is damaged");
  return result;
}

/** Bytes before the pixels: the header of the file. */
const TIFF_HEADER_BYTES = 8;

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const ENTRY_BYTES = 12;

/** How a TIFF describes the meaning of alpha: multiplied into the colours, or beside them. */
const [ASSOCIATED, UNASSOCIATED] = [1, 2];

/** Pixels of 8-bit samples. */
interface Pixels {
  width: number;
  height: number;
  /** Samples of a pixel: 3 colours, and 4 with alpha. */
  samples: 3 | 4;
  alpha: number | undefined;
  profile: Uint8Array | undefined;
}

const entryCount = ({ alpha, profile }: Pixels) => 10 + (alpha ? 1 : 0) + (profile ? 1 : 0);

/** Bytes of a whole TIFF with these pixels. */
const tiffBytes = (pixels: Pixels): number =>
  directoryAt(pixels) + 2 + entryCount(pixels) * ENTRY_BYTES + 4 + BITS_BYTES + (pixels.profile?.length ?? 0);

/** The size of four numbers. */
const BITS_BYTES = 8;

const directoryAt = ({ width, height, samples }: Pixels) => {
  const end = TIFF_HEADER_BYTES + width * height * samples;
  return end + (end % 2);
};

/**
 * Writes everything but the pixels of a TIFF into `file`; the rows of pixels follow the header. TIFF is the simplest
 * container of raw pixels with a colour profile.
 */
function describePixels(file: Buffer, pixels: Pixels): void {
  const { width, height, samples, alpha, profile } = pixels;
  const directory = directoryAt(pixels);
  file.write("II", 0, "latin1");
  file.writeUInt16LE(42, 2);
  file.writeUInt32LE(directory, 4);
  const count = entryCount(pixels);
  const bits = directory + 2 + count * ENTRY_BYTES + 4;
  const entries = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, samples, bits],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, 1, TIFF_HEADER_BYTES],
    [277, SHORT, 1, samples],
    [278, LONG, 1, height],
    [279, LONG, 1, width * height * samples],
    [284, SHORT, 1, 1],
    ...(alpha ? [[338, SHORT, 1, alpha]] : []),
    ...(profile ? [[34675, UNDEFINED, profile.length, bits + BITS_BYTES]] : []),
  ];
  file.writeUInt16LE(count, directory);
  let at = directory + 2;
  for (const [tag = 0, type = 0, values = 0, value = 0] of entries) {
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(values, at + 4);
    if (type === SHORT && values === 1) file.writeUInt16LE(value, at + 8);
    else file.writeUInt32LE(value, at + 8);
    at += ENTRY_BYTES;
  }
  for (let index = 0; index < samples; index++) file.writeUInt16LE(8, bits + index * 2);
  if (profile) file.set(profile, bits + BITS_BYTES);
}
