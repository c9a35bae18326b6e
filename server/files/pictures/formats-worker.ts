import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import openJpeg from "@cornerstonejs/codec-openjpeg/decodewasmjs";
import decodeJxl, { init } from "@jsquash/jxl/decode.js";
import sharp from "sharp";
import { decodeBitmap } from "./bitmap.ts";
import type { DecoderReply, DecoderRequest } from "./decoder-thread.ts";
import { MOST_DECODING_BYTES, MOST_PIXELS } from "./decoding-bytes.ts";
import { type HdrColours, mapTones } from "./hdr.ts";
import { limitWasmMemory } from "./limit-wasm-memory.ts";
import { type Pixels, pixelTiff, rowBytesOf, UNASSOCIATED } from "./pixel-tiff.ts";

limitWasmMemory(MOST_DECODING_BYTES);

/** Half of the limit: the decoder holds the pixels too. */
const MOST_TIFF_BYTES = MOST_DECODING_BYTES / 2;

const { resolve } = createRequire(import.meta.url);

parentPort?.on("message", async (request: DecoderRequest) => {
  try {
    const reply = await decode(request);
    parentPort?.postMessage(reply, [reply.tiff]);
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies DecoderReply);
  }
});

function decode(request: DecoderRequest) {
  if (request.hdr) return highDynamicRange(request.bytes, request.hdr);
  if (request.format === "image/jxl") return jpegXl(request);
  return request.format === "image/bmp" ? coloursOf(decodeBitmap(request.bytes)) : jpeg2000(request);
}

/** Decodes an AVIF or PNG in HDR with 16 bits, turned by sharp as other pictures are, and adds the profile that maps its tones. */
async function highDynamicRange(bytes: Uint8Array, hdr: HdrColours) {
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "none" }).autoOrient().toColourspace("rgb16");
  const { data, info } = await picture.raw({ depth: "ushort" }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  const profile = mapTones(hdr, samples, channels);
  const alpha = channels === 4 ? UNASSOCIATED : undefined;
  const pixels: Pixels = { width, height, samples: channels, bits: 16, alpha, profile };
  const rowBytes = rowBytesOf(pixels);
  const row = (index: number) => data.subarray(index * rowBytes, (index + 1) * rowBytes);
  return { width, height, tiff: pixelTiff(pixels, MOST_TIFF_BYTES, row) };
}

interface Rgba {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

// The decoder creates the browser's class.
Object.assign(globalThis, {
  ImageData: class {
    constructor(
      readonly data: Uint8ClampedArray,
      readonly width: number,
      readonly height: number,
    ) {}
  },
});
let jxlIsReady: Promise<unknown> | undefined;

/** Decodes a JPEG XL into upright sRGB; of an animation, the first frame. */
async function jpegXl({ bytes }: DecoderRequest) {
  // The package would fetch its WebAssembly by URL. Its types lack the module that it takes instead.
  jxlIsReady ??= readFile(resolve("@jsquash/jxl/codec/dec/jxl_dec.wasm")).then((code) =>
    (init as (module: WebAssembly.Module) => Promise<unknown>)(new WebAssembly.Module(code)),
  );
  await jxlIsReady;
  return coloursOf((await decodeJxl(exactBuffer(bytes))) as Rgba);
}

const exactBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;

/** Pixels in RGB; with alpha if any pixel is transparent. */
function coloursOf({ width, height, data }: Rgba) {
  let hasAlpha = false;
  for (let at = 3; at < data.length && !hasAlpha; at += 4) hasAlpha = data[at] !== 255;
  const pixels: Pixels = { width, height, samples: hasAlpha ? 4 : 3, alpha: hasAlpha ? UNASSOCIATED : undefined };
  const rgb = new Uint8Array(rowBytesOf(pixels));
  const row = (index: number): Uint8Array => {
    const rgba = data.subarray(index * width * 4, (index + 1) * width * 4);
    if (hasAlpha) return Uint8Array.from(rgba);
    for (let x = 0; x < width; x++) rgb.set(rgba.subarray(x * 4, x * 4 + 3), x * 3);
    return rgb;
  };
  return { width, height, tiff: pixelTiff(pixels, MOST_TIFF_BYTES, row) };
}

let openJpegModule: ReturnType<typeof openJpeg> | undefined;

/** The colour space in which a JPEG 2000 picture needs a conversion. */
const SYCC = 3;

/** Decodes a JPEG 2000 picture, with its sides halved `halvings` times. */
async function jpeg2000({ bytes, profile, halvings = 0 }: DecoderRequest) {
  const locateFile = () => resolve("@cornerstonejs/codec-openjpeg/decodewasm");
  openJpegModule ??= openJpeg({ locateFile, print() {}, printErr() {} });
  const { J2KDecoder } = await openJpegModule;
  const decoder = new J2KDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.readHeader();
    if (halvings > 0) decoder.decodeSubResolution(halvings, 0);
    else decoder.decode();
    const frame = decoder.getFrameInfo();
    const halved = (side: number) => Math.ceil(side / 2 ** halvings);
    const [width, height] = [halved(frame.width), halved(frame.height)];
    const samples = frame.componentCount;
    const bits = frame.bitsPerSample > 8 ? 16 : 8;
    const hasAlpha = samples === 2 || (samples === 4 && decoder.getColorSpace() !== CMYK);
    const pixels: Pixels = { width, height, samples, bits, alpha: hasAlpha ? UNASSOCIATED : undefined, profile };
    const data = decoder.getDecodedBuffer();
    const rowBytes = rowBytesOf(pixels);
    if (width * height === 0 || samples > 4 || frame.isSigned || data.length !== rowBytes * height)
      throw new Error("The picture is damaged");
    const toRgb = decoder.getColorSpace() === SYCC && bits === 8 && samples >= 3;
    const fullScale = scaled(frame.bitsPerSample, bits);
    const row = (index: number) => {
      const own = fullScale(data.slice(index * rowBytes, (index + 1) * rowBytes));
      return toRgb ? rgbOfYcc(own, samples) : own;
    };
    return { width, height, tiff: pixelTiff(pixels, MOST_TIFF_BYTES, row) };
  } finally {
    decoder.delete();
  }
}

const CMYK = 5;

/** Spreads samples of an unusual depth, e.g. 1 or 12 bits, over the whole range. */
function scaled(depth: number, bits: 8 | 16): (row: Uint8Array) => Uint8Array {
  if (depth === bits) return (row) => row;
  const factor = (2 ** bits - 1) / (2 ** depth - 1);
  return (row) => {
    const samples = bits === 16 ? new Uint16Array(row.buffer, row.byteOffset, row.length / 2) : row;
    for (let index = 0; index < samples.length; index++) samples[index] = Math.round((samples[index] ?? 0) * factor);
    return row;
  };
}

/** Converts a row from luma and colour differences, as JPEG does. */
function rgbOfYcc(row: Uint8Array, samples: number): Uint8Array {
  const clamped = new Uint8ClampedArray(row.buffer, row.byteOffset, row.length);
  for (let at = 0; at + 2 < row.length; at += samples) {
    const [luma = 0, blue = 0, red = 0] = [row[at], (row[at + 1] ?? 0) - 128, (row[at + 2] ?? 0) - 128];
    clamped[at] = luma + 1.402 * red;
    clamped[at + 1] = luma - 0.344136 * blue - 0.714136 * red;
    clamped[at + 2] = luma + 1.772 * blue;
  }
  return row;
}
