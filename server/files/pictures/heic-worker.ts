import { parentPort } from "node:worker_threads";
import libheif, { type HeifError } from "libheif-js/wasm-bundle.js";
import type { DecoderReply, DecoderRequest } from "./decoder-thread.ts";
import { MOST_DECODING_BYTES } from "./decoding-bytes.ts";
import { limitWasmMemory } from "./limit-wasm-memory.ts";
import { ASSOCIATED, pixelTiff, rowBytesOf, UNASSOCIATED } from "./pixel-tiff.ts";

limitWasmMemory(MOST_DECODING_BYTES);

parentPort?.on("message", async (request: DecoderRequest) => {
  try {
    const reply = await decode(request);
    parentPort?.postMessage(reply, [reply.tiff]);
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies DecoderReply);
  }
});

/** Decodes the primary picture of a HEIC file, which is the chosen one of a burst. */
async function decode({ bytes, profile }: DecoderRequest) {
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
    const pixels = { width, height, samples: hasAlpha ? 4 : 3, alpha: alpha || undefined, profile };
    const rowBytes = rowBytesOf(pixels);
    // Half of the limit: libheif holds the pixels too.
    const tiff = pixelTiff(pixels, MOST_DECODING_BYTES / 2, (row) =>
      data.subarray(row * stride, row * stride + rowBytes),
    );
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
