/** Bytes before the pixels: the header of the file. */
const TIFF_HEADER_BYTES = 8;

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const ENTRY_BYTES = 12;

/** How a TIFF describes the meaning of alpha: multiplied into the colours, or beside them. */
export const [ASSOCIATED, UNASSOCIATED] = [1, 2];

/** Photometric interpretations by the number of colours. */
const PHOTOMETRIC: Record<number, number | undefined> = { 1: 1, 3: 2, 4: 5 };

/** Unsigned samples, in little-endian order. */
export interface Pixels {
  width: number;
  height: number;
  /** Samples of a pixel: 1 for grey, 3 for RGB, 4 for CMYK, and one more with alpha. */
  samples: number;
  /** Of each sample; 8 if absent. */
  bits?: 8 | 16;
  alpha?: number | undefined;
  profile?: Uint8Array | undefined;
}

/** A row of pixels in bytes. */
export const rowBytesOf = ({ width, samples, bits = 8 }: Pixels): number => (width * samples * bits) / 8;

const entryCount = ({ alpha, profile }: Pixels) => 10 + (alpha ? 1 : 0) + (profile ? 1 : 0);

/** The size of a list of numbers: one for each sample, at most five. */
const BITS_BYTES = 10;

/** Bytes of a whole TIFF with these pixels. */
const tiffBytes = (pixels: Pixels): number =>
  directoryAt(pixels) + 2 + entryCount(pixels) * ENTRY_BYTES + 4 + BITS_BYTES + (pixels.profile?.length ?? 0);

const directoryAt = (pixels: Pixels) => {
  const end = TIFF_HEADER_BYTES + rowBytesOf(pixels) * pixels.height;
  return end + (end % 2);
};

/**
 * Creates an uncompressed TIFF, the simplest container of raw pixels with a colour profile. `row` returns the bytes of
 * each row. Throws a RangeError if the file would be larger than `mostBytes`.
 */
export function pixelTiff(pixels: Pixels, mostBytes: number, row: (index: number) => Uint8Array): ArrayBuffer {
  const size = tiffBytes(pixels);
  if (size > mostBytes) throw new RangeError("Too many pixels");
  const tiff = new ArrayBuffer(size);
  const file = Buffer.from(tiff);
  const rowBytes = rowBytesOf(pixels);
  for (let index = 0; index < pixels.height; index++) file.set(row(index), TIFF_HEADER_BYTES + index * rowBytes);
  describePixels(file, pixels);
  return tiff;
}

/** Writes everything but the pixels of a TIFF into `file`; the rows of pixels follow the header. */
function describePixels(file: Buffer, pixels: Pixels): void {
  const { width, height, samples, bits = 8, alpha, profile } = pixels;
  const directory = directoryAt(pixels);
  file.write("II", 0, "latin1");
  file.writeUInt16LE(42, 2);
  file.writeUInt32LE(directory, 4);
  const count = entryCount(pixels);
  const bitsAt = directory + 2 + count * ENTRY_BYTES + 4;
  const entries = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    // Up to two short numbers are stored in the entry itself.
    [258, SHORT, samples, samples > 2 ? bitsAt : bits + bits * 65_536],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, PHOTOMETRIC[samples - (alpha ? 1 : 0)] ?? 1],
    [273, LONG, 1, TIFF_HEADER_BYTES],
    [277, SHORT, 1, samples],
    [278, LONG, 1, height],
    [279, LONG, 1, rowBytesOf(pixels) * height],
    [284, SHORT, 1, 1],
    ...(alpha ? [[338, SHORT, 1, alpha]] : []),
    ...(profile ? [[34675, UNDEFINED, profile.length, bitsAt + BITS_BYTES]] : []),
  ];
  file.writeUInt16LE(count, directory);
  let at = directory + 2;
  for (const [tag = 0, type = 0, values = 0, value = 0] of entries) {
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(values, at + 4);
    if (type === SHORT && values === 1) file.writeUInt16LE(value & 0xffff, at + 8);
    else file.writeUInt32LE(value, at + 8);
    at += ENTRY_BYTES;
  }
  for (let index = 0; index < samples; index++) file.writeUInt16LE(bits, bitsAt + index * 2);
  if (profile) file.set(profile, bitsAt + BITS_BYTES);
}
