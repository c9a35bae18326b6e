import { crc32 } from "node:zlib";
import sharp from "sharp";
import { reading, type Source } from "./sources.ts";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** Chunks that a frame needs for decoding, beside its header and data. */
const SHARED = new Set(["PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "cICP"]);
const MOST_HEADER_CHUNKS = 200;
const MOST_FRAMES = 5_000;
/** The time for which browsers show a frame without one, in milliseconds. */
const DEFAULT_DELAY_MS = 100;

/** The frames of an animation below each other, as raw 8-bit RGBA. */
export interface Frames {
  pixels: Buffer;
  width: number;
  /** Of one frame. */
  height: number;
  /** Milliseconds for each frame. */
  delay: number[];
  /** The number of repetitions; 0 for ever. */
  loop: number;
}

/** A chunk of a PNG. */
interface Chunk {
  type: string;
  content: Buffer;
}

/** Longer chunks are no headers; their content is left out. */
const MOST_HEADER_BYTES = 64;

/** The chunks of a PNG before its pixels. */
export const pngHeaderChunks = (source: Source): Promise<Chunk[]> =>
  reading(source, async (read) => {
    const chunks: Chunk[] = [];
    for (let at = SIGNATURE.length; chunks.length < MOST_HEADER_CHUNKS; ) {
      const head = await read(at, 8);
      if (head.length < 8) break;
      const type = head.toString("latin1", 4, 8);
      if (type === "IDAT") break;
      const length = head.readUInt32BE(0);
      chunks.push({ type, content: length <= MOST_HEADER_BYTES ? await read(at + 8, length) : Buffer.alloc(0) });
      at += 12 + length;
    }
    return chunks;
  });

/** The number of frames of an animated PNG, from the chunks before its pixels; 1 for other PNGs. */
export async function pngFrames(source: Source): Promise<number> {
  const animation = (await pngHeaderChunks(source)).find(({ type }) => type === "acTL");
  return animation && animation.content.length >= 4 ? Math.max(1, animation.content.readUInt32BE(0)) : 1;
}

/** How a frame's place is cleared before the next frame: it stays, becomes transparent, or as it was before. */
const [CLEAR, RESTORE] = [1, 2];

interface Frame {
  width: number;
  height: number;
  x: number;
  y: number;
  delay: number;
  disposal: number;
  /** Whether it covers the canvas, or is laid over it by its alpha. */
  replaces: boolean;
  data: Buffer[];
}

/** Decodes the frames of an animated PNG as browsers show them. Rejects if one is damaged. */
export async function decodeAnimatedPng(png: Buffer, mostPixels: number): Promise<Frames> {
  const { header, shared, frames, loop } = parse(png);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (frames.length === 0 || width * height * frames.length > mostPixels) throw new RangeError("Too many pixels");
  const frameBytes = width * height * 4;
  const pixels = Buffer.alloc(frameBytes * frames.length);
  const canvas = Buffer.alloc(frameBytes);
  for (const [index, frame] of frames.entries()) {
    if (frame.x + frame.width > width || frame.y + frame.height > height) throw new RangeError("A frame is too large");
    const before = frame.disposal === RESTORE ? Buffer.from(canvas) : undefined;
    const drawn = await decoded(frame, header, shared);
    draw(canvas, width, frame, drawn);
    canvas.copy(pixels, index * frameBytes);
    if (before) before.copy(canvas);
    else if (frame.disposal === CLEAR) draw(canvas, width, { ...frame, replaces: true }, Buffer.alloc(drawn.length));
  }
  return { pixels, width, height, delay: frames.map(({ delay }) => delay), loop };
}

function parse(png: Buffer) {
  let header: Buffer = Buffer.alloc(0);
  const shared: Buffer[] = [];
  const frames: Frame[] = [];
  let loop = 0;
  for (let at = SIGNATURE.length; at + 12 <= png.length; ) {
    const [length, type] = [png.readUInt32BE(at), png.toString("latin1", at + 4, at + 8)];
    const body = png.subarray(at + 8, at + 8 + length);
    if (body.length < length || frames.length > MOST_FRAMES) throw new RangeError("The animation is damaged");
    if (type === "IHDR") header = body;
    else if (SHARED.has(type) && frames.length <= 1) shared.push(chunk(type, body));
    else if (type === "acTL") loop = body.readUInt32BE(4);
    else if (type === "fcTL") frames.push(frameOf(body));
    // Without a description before it, the first picture is not a part of the animation.
    else if (type === "IDAT") frames.at(-1)?.data.push(body);
    else if (type === "fdAT") frames.at(-1)?.data.push(body.subarray(4));
    else if (type === "IEND") break;
    at += 12 + length;
  }
  if (header.length !== 13) throw new RangeError("The animation has no header");
  return { header, shared, frames, loop };
}

function frameOf(body: Buffer): Frame {
  const [delay, unit] = [body.readUInt16BE(20), body.readUInt16BE(22) || 100];
  return {
    width: body.readUInt32BE(4),
    height: body.readUInt32BE(8),
    x: body.readUInt32BE(12),
    y: body.readUInt32BE(16),
    delay: Math.round((delay * 1000) / unit) || DEFAULT_DELAY_MS,
    disposal: body.readUInt8(24),
    replaces: body.readUInt8(25) === 0,
    data: [],
  };
}

/** Decodes one frame as a PNG of its own. */
async function decoded(frame: Frame, header: Buffer, shared: Buffer[]): Promise<Buffer> {
  const own = Buffer.from(header);
  own.writeUInt32BE(frame.width, 0);
  own.writeUInt32BE(frame.height, 4);
  const data = chunk("IDAT", Buffer.concat(frame.data));
  const png = Buffer.concat([SIGNATURE, chunk("IHDR", own), ...shared, data, chunk("IEND", Buffer.alloc(0))]);
  const pixels = await sharp(png, { failOn: "truncated" }).toColourspace("srgb").ensureAlpha().raw().toBuffer();
  if (pixels.length !== frame.width * frame.height * 4) throw new RangeError("A frame has another size");
  return pixels;
}

function chunk(type: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, "latin1");
  body.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

function draw(canvas: Buffer, canvasWidth: number, frame: Frame, drawn: Buffer): void {
  const rowBytes = frame.width * 4;
  for (let row = 0; row < frame.height; row++) {
    const to = ((frame.y + row) * canvasWidth + frame.x) * 4;
    const from = row * rowBytes;
    if (frame.replaces) drawn.copy(canvas, to, from, from + rowBytes);
    else for (let byte = 0; byte < rowBytes; byte += 4) drawOver(canvas, to + byte, drawn, from + byte);
  }
}

/** Lays a pixel over another one by its alpha, which is not multiplied into the colours. */
function drawOver(canvas: Buffer, to: number, drawn: Buffer, from: number): void {
  const [above, below] = [(drawn[from + 3] ?? 0) / 255, (canvas[to + 3] ?? 0) / 255];
  const alpha = above + below * (1 - above);
  for (let part = 0; part < 3; part++) {
    const mixed = (drawn[from + part] ?? 0) * above + (canvas[to + part] ?? 0) * below * (1 - above);
    canvas[to + part] = alpha === 0 ? 0 : Math.round(mixed / alpha);
  }
  canvas[to + 3] = Math.round(alpha * 255);
}
