import { parentPort } from "node:worker_threads";
import libheif, { type HeifError } from "libheif-js/wasm-bundle.js";
import { MOST_DECODING_BYTES } from "./decoding-bytes.ts";
import { describePixels, TIFF_HEADER_BYTES, tiffBytes } from "./uncompressed-tiff.ts";

export interface HeicRequest {
  bytes: Uint8Array;
  /** The colour profile of the picture. */
  profile: Uint8Array | undefined;
}

export type HeicReply = { width: number; height: number; tiff: ArrayBuffer } | { error: string };

/** The size of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;

// The limits of a worker do not cover WebAssembly memory, and a file may hold larger pictures than its header says.
// libheif answers a refusal to grow with an error.
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
    const decoded = check(
      await libheif.heif_js_decode_image2(
        handle,
        libheif.heif_colorspace.heif_colorspace_RGB,
        libheif.heif_chroma.heif_chroma_interleaved_RGB,
      ),
    );
    const rgb = decoded.channels?.find(({ id }) => id === libheif.heif_channel.heif_channel_interleaved);
    if (!rgb) throw new Error("The picture has no colours");
    const { width, height, stride, data } = rgb;
    const size = tiffBytes(width, height, profile);
    // Twice the pixels: these, and those that libheif holds.
    if (size * 2 > MOST_DECODING_BYTES) throw new RangeError("Too many pixels");
    const tiff = new ArrayBuffer(size);
    const file = Buffer.from(tiff);
    for (let row = 0; row < height; row++) {
      file.set(data.subarray(row * stride, row * stride + width * 3), TIFF_HEADER_BYTES + row * width * 3);
    }
    describePixels(file, width, height, profile);
    libheif.heif_image_release(decoded.image);
    libheif.heif_image_handle_release(handle);
    return { width, height, tiff };
  } finally {
    libheif.heif_context_free(context);
  }
}

function check<Result extends HeifError>(result: Result): Result {
  // Success is an error code too.
  if (result?.code?.value) throw new Error(result.message ?? "The picture is damaged");
  return result;
}
