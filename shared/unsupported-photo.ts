/** Reads `length` bytes of a file from position `at`; fewer at the end of the file. */
export type ReadBytes = (at: number, length: number) => Promise<Uint8Array>;

/** A picture in a format that browsers cannot display. */
export interface UnsupportedPhoto {
  kind: "raw" | "jpeg-xl";
  /** E.g. `NEF`; `RAW` for the raw format of an unknown maker. */
  format: string;
}

/** Signatures of raw formats that are not TIFF, or are TIFF with an additional signature. */
const RAW_BEGINNINGS: readonly (readonly [at: number, text: string, format: string])[] = [
  [0, "FUJIFILMCCD-RAW", "RAF"],
  [4, "ftypcrx ", "CR3"],
  [8, "CR\x02", "CR2"],
  [6, "HEAPCCDR", "CRW"],
  [0, "IIRO", "ORF"],
  [0, "IIRS", "ORF"],
  [0, "MMOR", "ORF"],
  [0, "IIU\0", "RW2"],
  [0, "FOVb", "X3F"],
  [0, "\0MRM", "MRW"],
];

const JPEG_XL = ["\xff\x0a", "\0\0\0\x0cJXL \r\n\x87\n"];

const BEGINNING_BYTES = 32;

/** Detects a raw photo or JPEG XL picture by its content; resolves to undefined for any other file. */
export async function unsupportedPhoto(read: ReadBytes): Promise<UnsupportedPhoto | undefined> {
  const beginning = latin1(await read(0, BEGINNING_BYTES));
  if (JPEG_XL.some((start) => beginning.startsWith(start))) return { kind: "jpeg-xl", format: "JPEG XL" };
  const raw = RAW_BEGINNINGS.find(([at, text]) => beginning.startsWith(text, at));
  if (raw) return { kind: "raw", format: raw[2] };
  const format = isTiff(beginning) ? await rawTiffFormat(read) : undefined;
  return format ? { kind: "raw", format } : undefined;
}

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** Whether a file with these first bytes is a TIFF. Scans and most raw photos are TIFF files. */
export const isTiff = (beginning: string): boolean => beginning.startsWith("II*\0") || beginning.startsWith("MM\0*");

const TAG = { compression: 259, photometric: 262, make: 271, subDirectories: 330, dngVersion: 50_706 };
/** Photometric values of unprocessed sensor data: colour filter array and linear raw. */
const RAW_PHOTOMETRIC = new Set([32_803, 34_892]);
/** Compressions of Sony, Nikon, Pentax and Samsung, Kodak, and lossy DNG. */
const RAW_COMPRESSION = new Set([32_767, 34_713, 65_535, 32_769, 32_770, 65_000, 34_892]);

/** The raw formats that are TIFF files, by camera maker. */
const FORMATS: readonly (readonly [maker: string, format: string])[] = [
  ["NIKON", "NEF"],
  ["SONY", "ARW"],
  ["CANON", "CR2"],
  ["PENTAX", "PEF"],
  ["RICOH", "PEF"],
  ["SAMSUNG", "SRW"],
  ["OLYMPUS", "ORF"],
  ["PANASONIC", "RW2"],
  ["HASSELBLAD", "3FR"],
  ["PHASE ONE", "IIQ"],
  ["EPSON", "ERF"],
  ["KODAK", "DCR"],
  ["LEAF", "MOS"],
  ["MAMIYA", "MEF"],
];

const MOST_DIRECTORIES = 12;
const MOST_ENTRIES = 200;
const ENTRY_BYTES = 12;

interface Entry {
  tag: number;
  type: number;
  count: number;
  /** The position of the values. Short values are stored in the entry itself. */
  valuesAt: number;
}

/** Resolves to the name of a TIFF's raw format; undefined if it contains a processed picture. */
async function rawTiffFormat(read: ReadBytes): Promise<string | undefined> {
  const tiff = new TiffReader(read, (await read(0, 1))[0] === 0x49);
  const waiting = [await tiff.number(4, 4)];
  let make = "";
  let raw = false;
  for (let visited = 0; visited < MOST_DIRECTORIES && waiting.length > 0; visited++) {
    const { entries, next } = await tiff.directory(waiting.shift() ?? 0);
    if (next > 0) waiting.push(next);
    for (const entry of entries) {
      if (entry.tag === TAG.dngVersion) return "DNG";
      if (entry.tag === TAG.make) make ||= await tiff.text(entry);
      if (entry.tag === TAG.photometric) raw ||= RAW_PHOTOMETRIC.has(await tiff.value(entry));
      if (entry.tag === TAG.compression) raw ||= RAW_COMPRESSION.has(await tiff.value(entry));
      if (entry.tag === TAG.subDirectories) {
        for (let index = 0; index < Math.min(entry.count, 4); index++) {
          waiting.push(await tiff.number(entry.valuesAt + index * 4, 4));
        }
      }
    }
  }
  if (!raw) return undefined;
  return FORMATS.find(([maker]) => make.toUpperCase().includes(maker))?.[1] ?? "RAW";
}

/** Reads numbers and directories of a TIFF. Beyond the end of the file, numbers are 0 and directories are empty. */
class TiffReader {
  constructor(
    private readonly read: ReadBytes,
    private readonly littleEndian: boolean,
  ) {}

  async number(at: number, length: 2 | 4): Promise<number> {
    return this.decode(await this.read(at, length), 0, length);
  }

  async directory(at: number): Promise<{ entries: Entry[]; next: number }> {
    const count = Math.min(at >= 8 ? await this.number(at, 2) : 0, MOST_ENTRIES);
    const bytes = count > 0 ? await this.read(at + 2, count * ENTRY_BYTES + 4) : new Uint8Array();
    const entries = Array.from({ length: count }, (_, index) => {
      const from = index * ENTRY_BYTES;
      const [tag, type] = [this.decode(bytes, from, 2), this.decode(bytes, from + 2, 2)];
      const values = this.decode(bytes, from + 4, 4);
      const fits = values * (type === SHORT ? 2 : type === LONG ? 4 : 1) <= 4;
      return { tag, type, count: values, valuesAt: fits ? at + 2 + from + 8 : this.decode(bytes, from + 8, 4) };
    });
    return { entries, next: this.decode(bytes, count * ENTRY_BYTES, 4) };
  }

  value({ type, valuesAt }: Entry): Promise<number> {
    return this.number(valuesAt, type === SHORT ? 2 : 4);
  }

  async text({ count, valuesAt }: Entry): Promise<string> {
    return latin1(await this.read(valuesAt, Math.min(count, 64))).replace(/\0.*$/s, "");
  }

  private decode(bytes: Uint8Array, at: number, length: 2 | 4): number {
    let number = 0;
    for (let index = 0; index < length; index++) {
      const byte = bytes[at + (this.littleEndian ? length - 1 - index : index)] ?? 0;
      number = number * 256 + byte;
    }
    return number;
  }
}

const SHORT = 3;
const LONG = 4;
