import type { Size } from "./sources.ts";

const HEADER_BYTES = 26;
const MOST_CHANNELS = 56;

/** Colour modes by their number. */
const MODE = { bitmap: 0, grey: 1, indexed: 2, rgb: 3, cmyk: 4, duotone: 8, lab: 9 } as const;
/** The colours of a mode and their meaning in a TIFF. */
const MODES: Record<number, { colours: number; photometric: number } | undefined> = {
  [MODE.bitmap]: { colours: 1, photometric: 0 },
  [MODE.grey]: { colours: 1, photometric: 1 },
  [MODE.indexed]: { colours: 1, photometric: 3 },
  [MODE.rgb]: { colours: 3, photometric: 2 },
  [MODE.cmyk]: { colours: 4, photometric: 5 },
  [MODE.duotone]: { colours: 1, photometric: 1 },
  [MODE.lab]: { colours: 3, photometric: 8 },
};

/** Resources of a file by their number. */
export const RESOURCE = { iptc: 1028, thumbnail: 1036, profile: 1039, version: 1057, exif: 1058, xmp: 1060 } as const;

export interface PhotoshopHeader extends Size {
  /** A file for pictures of more than 30,000 pixels. */
  isLarge: boolean;
  channels: number;
  depth: number;
  mode: number;
}

/** Reads the header of a Photoshop file; undefined if it is damaged. */
export function photoshopHeader(head: Buffer): PhotoshopHeader | undefined {
  if (head.length < HEADER_BYTES) return undefined;
  const [channels, height, width] = [head.readUInt16BE(12), head.readUInt32BE(14), head.readUInt32BE(18)];
  const [depth, mode] = [head.readUInt16BE(22), head.readUInt16BE(24)];
  if (!width || !height || !channels || channels > MOST_CHANNELS || !MODES[mode]) return undefined;
  return { width, height, channels, depth, mode, isLarge: head.readUInt16BE(4) === 2 };
}

/** The resources of a Photoshop file. */
export function photoshopResources(file: Buffer): Map<number, Buffer> {
  const resources = new Map<number, Buffer>();
  if (file.length < HEADER_BYTES + 8) return resources;
  const start = HEADER_BYTES + 4 + file.readUInt32BE(HEADER_BYTES);
  if (start + 4 > file.length) return resources;
  const end = Math.min(file.length, start + 4 + file.readUInt32BE(start));
  for (let at = start + 4; at + 12 <= end && file.toString("latin1", at, at + 4) === "8BIM"; ) {
    const number = file.readUInt16BE(at + 4);
    // A name with its length, and the content, each of an even number of bytes.
    const sizeAt = at + 6 + even(1 + (file[at + 6] ?? 0));
    if (sizeAt + 4 > end) break;
    const size = file.readUInt32BE(sizeAt);
    if (sizeAt + 4 + size > end) break;
    if (!resources.has(number)) resources.set(number, file.subarray(sizeAt + 4, sizeAt + 4 + size));
    at = sizeAt + 4 + even(size);
  }
  return resources;
}

const even = (number: number) => number + (number % 2);

/** Bytes before a thumbnail's JPEG. */
const THUMBNAIL_HEADER_BYTES = 28;

/**
 * Returns the flattened picture of a Photoshop file as a TIFF: its bytes stay compressed, because both formats use the same
 * method. If the file was saved without a flattened picture, its thumbnail as a JPEG. Throws an error for a damaged file.
 */
export function flattenedPhotoshop(file: Buffer): Buffer {
  const header = photoshopHeader(file);
  if (!header) throw new Error("The file has no readable header");
  const resources = photoshopResources(file);
  // The byte after the version tells whether the flattened picture is real or white.
  if (resources.get(RESOURCE.version)?.[4] === 0) {
    const thumbnail = resources.get(RESOURCE.thumbnail)?.subarray(THUMBNAIL_HEADER_BYTES);
    if (thumbnail?.length) return thumbnail;
  }
  return tiffOf(file, header, resources.get(RESOURCE.profile));
}

const COMPRESSION = { none: 0, packBits: 1 } as const;

/** A TIFF around the rows of the flattened picture, one channel after the other. */
function tiffOf(file: Buffer, header: PhotoshopHeader, profile: Buffer | undefined): Buffer {
  const { width, height, channels, depth, mode, isLarge } = header;
  const { colours, photometric } = MODES[mode] ?? { colours: 1, photometric: 1 };
  const lengthBytes = isLarge ? 8 : 4;
  const palette = file.subarray(HEADER_BYTES + 4, HEADER_BYTES + 4 + file.readUInt32BE(HEADER_BYTES));
  let at = HEADER_BYTES + 4 + palette.length;
  at += 4 + file.readUInt32BE(at);
  at += lengthBytes + (isLarge ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at));
  const compression = file.readUInt16BE(at);
  at += 2;
  const samples = Math.min(channels, colours + 1);
  if (channels < colours || ![1, 8, 16, 32].includes(depth)) throw new Error("The picture has other colours");
  if (compression !== COMPRESSION.none && compression !== COMPRESSION.packBits) throw new Error("Unknown compression");
  const isPacked = compression === COMPRESSION.packBits;
  const strips: { at: number; bytes: number }[] = [];
  const rowBytes = Math.ceil((width * depth) / 8);
  const countBytes = isLarge ? 4 : 2;
  let from = isPacked ? at + channels * height * countBytes : at;
  for (let row = 0; row < samples * height; row++) {
    const countAt = at + row * countBytes;
    const bytes = !isPacked ? rowBytes : isLarge ? file.readUInt32BE(countAt) : file.readUInt16BE(countAt);
    // A file that was cut off shows its first rows.
    strips.push({ at: from, bytes: Math.max(0, Math.min(bytes, file.length - from)) });
    from += bytes;
  }
  const start = strips[0]?.at ?? at;
  const data = Buffer.from(file.subarray(start, Math.min(from, file.length)));
  for (const [index, strip] of strips.entries()) {
    const mask = maskOf(mode, Math.floor(index / height), depth);
    if (mask) change(data.subarray(strip.at - start, strip.at - start + strip.bytes), mask, isPacked);
  }
  const short = (...values: number[]) => ({ type: 3, values });
  const long = (...values: number[]) => ({ type: 4, values });
  const entries: Entry[] = [
    [256, long(width)],
    [257, long(height)],
    [258, short(...Array.from({ length: samples }, () => depth))],
    [259, short(isPacked ? PACK_BITS : 1)],
    [262, short(photometric)],
    [273, long(...strips.map((strip) => TIFF_HEADER_BYTES + strip.at - start))],
    [277, short(samples)],
    [278, long(1)],
    [279, long(...strips.map(({ bytes }) => bytes))],
    [284, short(samples > 1 ? SEPARATE_PLANES : 1)],
    ...(mode === MODE.indexed
      ? [[320, short(...[...palette.subarray(0, 768)].map((value) => value * 257))] as Entry]
      : []),
    ...(samples > colours ? [[338, short(UNASSOCIATED_ALPHA)] as Entry] : []),
    ...(depth === 32 ? [[339, short(...Array.from({ length: samples }, () => FLOATING_POINT))] as Entry] : []),
    ...(profile ? [[34_675, { type: 7, values: [...profile] }] as Entry] : []),
  ];
  return withDirectory(data, entries);
}

const PACK_BITS = 32_773;
const SEPARATE_PLANES = 2;
const UNASSOCIATED_ALPHA = 2;
const FLOATING_POINT = 3;
const TIFF_HEADER_BYTES = 8;

type Entry = [tag: number, { type: number; values: number[] }];

/** A TIFF of the data and a directory behind it, with the high byte first, as in Photoshop files. */
function withDirectory(data: Buffer, entries: readonly Entry[]): Buffer {
  const directoryAt = TIFF_HEADER_BYTES + even(data.length);
  const sizes = entries.map(([, { type, values }]) => values.length * (TYPE_BYTES[type] ?? 1));
  const directoryBytes = 2 + entries.length * 12 + 4;
  const external = sizes.reduce((sum, size) => sum + (size > 4 ? even(size) : 0), 0);
  const file = Buffer.alloc(directoryAt + directoryBytes + external);
  file.write("MM\0*", 0, "latin1");
  file.writeUInt32BE(directoryAt, 4);
  data.copy(file, TIFF_HEADER_BYTES);
  file.writeUInt16BE(entries.length, directoryAt);
  let valuesAt = directoryAt + directoryBytes;
  for (const [index, [tag, { type, values }]] of entries.entries()) {
    const at = directoryAt + 2 + index * 12;
    const size = sizes[index] ?? 0;
    file.writeUInt16BE(tag, at);
    file.writeUInt16BE(type, at + 2);
    file.writeUInt32BE(values.length, at + 4);
    let valueAt = at + 8;
    if (size > 4) {
      file.writeUInt32BE(valuesAt, at + 8);
      valueAt = valuesAt;
      valuesAt += even(size);
    }
    for (const value of values) {
      if (type === 3) valueAt = file.writeUInt16BE(value, valueAt);
      else if (type === 4) valueAt = file.writeUInt32BE(value, valueAt);
      else valueAt = file.writeUInt8(value, valueAt);
    }
  }
  return file;
}

const TYPE_BYTES: Record<number, number | undefined> = { 3: 2, 4: 4, 7: 1 };

/**
 * The bits in which a channel differs from a TIFF's: Photoshop stores the absence of ink, and Lab's colours without a sign.
 * Of 16 bits only the high byte would differ in Lab, which is rare and stays as it is.
 */
function maskOf(mode: number, channel: number, depth: number): number {
  if (mode === MODE.cmyk && channel < 4) return 0xff;
  return mode === MODE.lab && depth === 8 && (channel === 1 || channel === 2) ? 0x80 : 0;
}

/** Changes the values of a row in place, also if it is packed: then its counts stay as they are. */
function change(row: Buffer, mask: number, isPacked: boolean): void {
  for (let at = 0; at < row.length; ) {
    const control = isPacked ? row.readInt8(at++) : row.length - 1;
    const values = control >= 0 ? control + 1 : control === -128 ? 0 : 1;
    for (const end = Math.min(row.length, at + values); at < end; at++) row[at] = (row[at] ?? 0) ^ mask;
  }
}
