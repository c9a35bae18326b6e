import { parentPort } from "node:worker_threads";
import libheif, { type HeifError } from "libheif-js/wasm-bundle.js";
import type { DecoderReply, DecoderRequest } from "./decoder-thread.ts";
import { MOST_DECODING_BYTES } from "./decoding-bytes.ts";
import { mapTones } from "./hdr.ts";
import { limitWasmMemory } from "./limit-wasm-memory.ts";
import { ASSOCIATED, type Pixels, pixelTiff, rowBytesOf, UNASSOCIATED } from "./pixel-tiff.ts";

limitWasmMemory(MOST_DECODING_BYTES);

parentPort?.on("message", async (request: DecoderRequest) => {
  try {
    const reply = await decode(request);
    parentPort?.postMessage(reply, [reply.tiff]);
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies DecoderReply);
  }
});

/** Decodes the primary picture of a HEIC file, which is the chosen one of a burst. HDR keeps all of its bits. */
async function decode({ bytes, profile, hdr }: DecoderRequest) {
  await libheif.ready;
  const context = libheif.heif_context_alloc();
  try {
    check(libheif.heif_context_read_from_memory(context, bytes));
    const handle = check(libheif.heif_js_context_get_primary_image_handle(context));
    const hasAlpha = libheif.heif_image_handle_has_alpha_channel(handle) !== 0;
    const decoded = check(
      await libheif.heif_js_decode_image2(
        handle,
        libheif.heif_colorspace.heif_colorspace_RGB,
        libheif.heif_chroma[`heif_chroma_interleaved_${CHROMAS[hdr ? 16 : 8][hasAlpha ? 1 : 0]}`],
      ),
    );
    const rgb = decoded.channels?.find(({ id }) => id === libheif.heif_channel.heif_channel_interleaved);
    if (!rgb) throw new Error("The picture has no colours");
    const { width, height, stride, data, bits_per_pixel: depth } = rgb;
    const alpha = hasAlpha && (libheif.heif_image_handle_is_premultiplied_alpha(handle) ? ASSOCIATED : UNASSOCIATED);
    const pixels: Pixels = { width, height, samples: hasAlpha ? 4 : 3, alpha: alpha || undefined, profile };
    if (hdr) pixels.bits = 16;
    const rowBytes = rowBytesOf(pixels);
    let row = (index: number): Uint8Array => data.subarray(index * stride, index * stride + rowBytes);
    if (hdr) {
      // libheif pads its rows.
      const own = new Uint8Array(rowBytes * height);
      for (let index = 0; index < height; index++) own.set(row(index), index * rowBytes);
      const samples = new Uint16Array(own.buffer);
      spread(samples, depth);
      pixels.profile = mapTones(hdr, samples, pixels.samples);
      row = (index) => own.subarray(index * rowBytes, (index + 1) * rowBytes);
    }
    // Half of the limit: libheif holds the pixels too.
    const tiff = pixelTiff(pixels, MOST_DECODING_BYTES / 2, row);
    libheif.heif_image_release(decoded.image);
    libheif.heif_image_handle_release(handle);
    return { width, height, tiff };
  } finally {
    libheif.heif_context_free(context);
  }
}

/** libheif's names of interleaved samples of 8 and 16 bits, without and with alpha. */
const CHROMAS = { 8: ["RGB", "RGBA"], 16: ["RRGGBB_LE", "RRGGBBAA_LE"] } as const;

/** Spreads samples of `depth` bits over 16, in place. */
function spread(samples: Uint16Array, depth: number): void {
  const factor = 0xffff / (2 ** depth - 1);
  for (let at = 0; at < samples.length; at++) samples[at] = (samples[at] ?? 0) * factor + 0.5;
}

function check<Result extends HeifError>(result: Result): Result {
  // libheif returns an error object also for success, with the code 0.
  if (result?.code?.value) throw new Error(result.message ?? "The picture is damaged");
  return result;
}
