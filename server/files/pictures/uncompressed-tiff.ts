/** Bytes before the pixels: the header of the file. */
export const TIFF_HEADER_BYTES = 8;

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const ENTRY_BYTES = 12;

/** Bytes of a whole TIFF with 8-bit RGB pixels of this size and this colour profile. */
export const tiffBytes = (width: number, height: number, profile: Uint8Array | undefined): number =>
  directoryAt(width, height) + 2 + (profile ? 11 : 10) * ENTRY_BYTES + 4 + BITS_BYTES + (profile?.length ?? 0);

/** Three numbers, and one more so that what follows begins at an even byte. */
const BITS_BYTES = 8;

const directoryAt = (width: number, height: number) => {
  const end = TIFF_HEADER_BYTES + width * height * 3;
  return end + (end % 2);
};

/**
 * Writes everything but the pixels of a TIFF into `file`; they follow the header, row by row. This is the plainest
 * container that holds raw pixels together with their colour profile.
 */
export function describePixels(file: Buffer, width: number, height: number, profile: Uint8Array | undefined): void {
  const directory = directoryAt(width, height);
  file.write("II", 0, "latin1");
  file.writeUInt16LE(42, 2);
  file.writeUInt32LE(directory, 4);
  const count = profile ? 11 : 10;
  const bits = directory + 2 + count * ENTRY_BYTES + 4;
  const entries = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 3, bits],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, 1, TIFF_HEADER_BYTES],
    [277, SHORT, 1, 3],
    [278, LONG, 1, height],
    [279, LONG, 1, width * height * 3],
    [284, SHORT, 1, 1],
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
  for (let index = 0; index < 3; index++) file.writeUInt16LE(8, bits + index * 2);
  if (profile) file.set(profile, bits + BITS_BYTES);
}
