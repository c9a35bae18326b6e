const EXIF_IFD = 0x8769;
const MAKER_NOTE = 0x927c;
const APPLE = "Apple iOS\0";
/** Where the directory of Apple's maker note begins, and its tag of the identifier. */
const APPLE_DIRECTORY = 14;
const CONTENT_IDENTIFIER = 0x0011;
const LONGEST_IDENTIFIER = 100;
const ENTRY_BYTES = 12;

/** The identifier by which an iPhone ties a photo to its video, from the photo's EXIF block; null without one. */
export function contentIdentifier(exif: Buffer | undefined): string | null {
  if (!exif) return null;
  const tiff = exif.subarray(0, 4).toString("latin1") === "Exif" ? exif.subarray(6) : exif;
  if (tiff.length < 8) return null;
  const little = tiff.toString("latin1", 0, 2) === "II";
  const number = little ? (at: number) => tiff.readUInt32LE(at) : (at: number) => tiff.readUInt32BE(at);
  try {
    const exifAt = find(tiff, number(4), little, EXIF_IFD);
    const noteAt = exifAt === undefined ? undefined : find(tiff, number(exifAt + 8), little, MAKER_NOTE);
    if (noteAt === undefined) return null;
    const note = tiff.subarray(number(noteAt + 8), number(noteAt + 8) + number(noteAt + 4));
    if (note.toString("latin1", 0, APPLE.length) !== APPLE) return null;
    // Apple writes its note with the high byte first, and counts from the note's beginning.
    const at = find(note, APPLE_DIRECTORY, false, CONTENT_IDENTIFIER);
    if (at === undefined) return null;
    const [length, start] = [note.readUInt32BE(at + 4), note.readUInt32BE(at + 8)];
    const text = note.toString("latin1", start, start + length).replace(/\0.*$/s, "");
    return /^[\x21-\x7e]+$/.test(text) && text.length <= LONGEST_IDENTIFIER ? text : null;
  } catch (error) {
    // A position beyond the block's end: the block is broken.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Where the entry of this tag begins in the directory at `start`. */
function find(block: Buffer, start: number, little: boolean, tag: number): number | undefined {
  const short = (at: number) => (little ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const count = short(start);
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * ENTRY_BYTES;
    if (short(at) === tag) return at;
  }
  return undefined;
}
