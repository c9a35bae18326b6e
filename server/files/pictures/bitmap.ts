import type { Size } from "./sources.ts";

/** The number of a file's first bytes that {@link bitmapSize} needs. */
export const BITMAP_HEAD_BYTES = 26;

/** Reads the size of a BMP picture from the beginning of its file; undefined if it is damaged. */
export function bitmapSize(head: Uint8Array): Size | undefined {
  if (head.length < BITMAP_HEAD_BYTES) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isOs2 = view.getUint32(14, true) === OS2_HEADER_BYTES;
  const width = isOs2 ? view.getUint16(18, true) : view.getInt32(18, true);
  // A negative height means that the rows begin at the top.
  const height = isOs2 ? view.getUint16(20, true) : Math.abs(view.getInt32(22, true));
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** OS/2's first bitmaps have short numbers, and three bytes for each colour of the palette. */
const OS2_HEADER_BYTES = 12;
const COMPRESSION = { none: 0, rle8: 1, rle4: 2, fields: 3, fieldsWithAlpha: 6 } as const;

interface Layout extends Size {
  file: Uint8Array;
  view: DataView;
  depth: number;
  isTopDown: boolean;
  pixelsAt: number;
  palette: readonly (readonly [red: number, green: number, blue: number])[];
  /** The bits of each channel in a pixel of 16 or 32 bits; of alpha, 0 if there is none. */
  masks: readonly number[];
}

/** RGBA of a BMP picture, from the top. Of a truncated file, the missing rows are white. Throws for a damaged header. */
export function decodeBitmap(file: Uint8Array): Size & { data: Uint8ClampedArray } {
  const size = bitmapSize(file);
  if (!size) throw new Error("The header is damaged");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const headerBytes = view.getUint32(14, true);
  const isOs2 = headerBytes === OS2_HEADER_BYTES;
  const depth = view.getUint16(isOs2 ? 24 : 28, true);
  const compression = isOs2 || headerBytes === 16 ? 0 : view.getUint32(30, true);
  const hasFields = compression === COMPRESSION.fields || compression === COMPRESSION.fieldsWithAlpha;
  // Masks are a part of long headers, and follow a short one.
  const fieldBytes = hasFields && headerBytes === 40 ? (compression === COMPRESSION.fieldsWithAlpha ? 16 : 12) : 0;
  const layout: Layout = {
    ...size,
    file,
    view,
    depth,
    isTopDown: !isOs2 && view.getInt32(22, true) < 0,
    pixelsAt: view.getUint32(10, true),
    palette: depth <= 8 ? paletteOf(file, 14 + headerBytes + fieldBytes, 2 ** depth, isOs2 ? 3 : 4) : [],
    masks: hasFields
      ? [54, 58, 62, 66].map((at) => (at < 14 + headerBytes + fieldBytes ? view.getUint32(at, true) : 0))
      : depth === 16
        ? [0x7c00, 0x3e0, 0x1f, 0]
        : [0xff0000, 0xff00, 0xff, 0],
  };
  const data = new Uint8ClampedArray(size.width * size.height * 4).fill(255);
  if (compression === COMPRESSION.rle8 || compression === COMPRESSION.rle4) unpackRuns(layout, data);
  else if (compression === COMPRESSION.none || hasFields) readRows(layout, data);
  else throw new Error(`Compression ${compression} is unknown`);
  // Many programs leave alpha at zero and mean an opaque picture.
  if (!data.some((value, index) => index % 4 === 3 && value > 0))
    data.forEach((_, index) => {
      if (index % 4 === 3) data[index] = 255;
    });
  return { ...size, data };
}

/** Colours are stored as blue, green, red. */
const paletteOf = (file: Uint8Array, at: number, colours: number, bytes: number) =>
  Array.from({ length: colours }, (_, index) => {
    const [blue = 0, green = 0, red = 0] = file.subarray(at + index * bytes, at + index * bytes + 3);
    return [red, green, blue] as const;
  });

/** The position of a pixel's colours, of a row counted as stored. */
const positionOf = ({ width, height, isTopDown }: Layout, x: number, row: number) =>
  ((isTopDown ? row : height - 1 - row) * width + x) * 4;

function readRows(layout: Layout, data: Uint8ClampedArray): void {
  const { file, view, width, height, depth, pixelsAt, palette } = layout;
  if (![1, 2, 4, 8, 16, 24, 32].includes(depth)) throw new Error(`${depth} bits are unknown`);
  const rowBytes = Math.ceil((width * depth) / 32) * 4;
  const channels = layout.masks.map(channelOf);
  for (let row = 0; row < height; row++) {
    const from = pixelsAt + row * rowBytes;
    if (from + Math.ceil((width * depth) / 8) > file.length) return;
    for (let x = 0; x < width; x++) {
      const at = positionOf(layout, x, row);
      if (depth <= 8) {
        const bit = x * depth;
        const index = ((file[from + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
        data.set(palette[index] ?? [0, 0, 0], at);
      } else if (depth === 24) {
        const pixel = from + x * 3;
        data[at] = file[pixel + 2] ?? 0;
        data[at + 1] = file[pixel + 1] ?? 0;
        data[at + 2] = file[pixel] ?? 0;
      } else {
        const pixel = depth === 16 ? view.getUint16(from + x * 2, true) : view.getUint32(from + x * 4, true);
        for (let index = 0; index < 4; index++) data[at + index] = channels[index]?.(pixel) ?? 255;
      }
    }
  }
}

/** Reads the channel with these bits of a pixel, from 0 to 255. A channel without bits is absent. */
function channelOf(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 255;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (pixel) => (((pixel & mask) >>> shift) * 255) / most;
}

/** Runs of a colour, or of two that alternate; a zero begins an instruction, e.g. the end of a row. */
function unpackRuns(layout: Layout, data: Uint8ClampedArray): void {
  const { file, width, height, depth, palette } = layout;
  const isNibbles = depth === 4;
  let [x, row] = [0, 0];
  const put = (index: number) => {
    if (x < width && row < height) data.set(palette[index] ?? [0, 0, 0], positionOf(layout, x, row));
    x += 1;
  };
  const nibble = (byte: number, index: number) => (isNibbles ? (index % 2 === 0 ? byte >> 4 : byte & 15) : byte);
  for (let at = layout.pixelsAt; at + 1 < file.length && row < height; ) {
    const [count = 0, value = 0] = [file[at], file[at + 1]];
    at += 2;
    const run = Math.min(count, Math.max(0, width - x));
    if (count > 0) for (let index = 0; index < run; index++) put(nibble(value, index));
    else if (value === 0) [x, row] = [0, row + 1];
    else if (value === 1) return;
    else if (value === 2) {
      x += file[at] ?? 0;
      row += file[at + 1] ?? 0;
      at += 2;
    } else {
      for (let index = 0; index < value; index++) put(nibble(file[at + (isNibbles ? index >> 1 : index)] ?? 0, index));
      const bytes = isNibbles ? (value + 1) >> 1 : value;
      at += bytes + (bytes % 2);
    }
  }
}
