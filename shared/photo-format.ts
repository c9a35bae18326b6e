import { type ReadBytes, TiffReader } from "./tiff.ts";

/** The raw formats of cameras, as their extensions; `RAW` is that of an unknown maker. */
export const RAW_FORMATS = [
  "DNG",
  "CR2",
  "CR3",
  "CRW",
  "NEF",
  "ARW",
  "RAF",
  "ORF",
  "RW2",
  "PEF",
  "SRW",
  "3FR",
  "IIQ",
  "ERF",
  "DCR",
  "MOS",
  "MEF",
  "X3F",
  "MRW",
  "RAW",
] as const;
type RawFormat = (typeof RAW_FORMATS)[number];

/** The media type of a raw format. */
const rawType = (format: RawFormat) => `image/x-${format.toLowerCase()}`;

const RAW_TYPES: ReadonlySet<string> = new Set(RAW_FORMATS.map(rawType));
export const isRaw = (type: string): boolean => RAW_TYPES.has(type);

/** Signatures of raw formats that are not TIFF, or are TIFF with an additional signature. */
const RAW_BEGINNINGS: readonly (readonly [at: number, text: string, format: RawFormat])[] = [
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

/** Signatures of other formats that browsers cannot display. */
const BEGINNINGS: readonly (readonly [text: string, type: string])[] = [
  ["\xff\x0a", "image/jxl"],
  ["\0\0\0\x0cJXL \r\n\x87\n", "image/jxl"],
  ["\0\0\0\x0cjP  \r\n\x87\n", "image/jp2"],
  ["\xff\x4f\xff\x51", "image/j2c"],
  ["8BPS\0\x01\0\0\0\0\0\0", "image/vnd.adobe.photoshop"],
  ["8BPS\0\x02\0\0\0\0\0\0", "image/vnd.adobe.photoshop"],
];

/** The sizes of the headers of Windows' and OS/2's bitmaps, which follow two letters and three numbers. */
const BITMAP_HEADERS = new Set([12, 16, 40, 52, 56, 64, 108, 124]);
const isBitmap = (beginning: string) =>
  beginning.startsWith("BM") && BITMAP_HEADERS.has(beginning.charCodeAt(14)) && beginning.slice(15, 18) === "\0\0\0";

const BEGINNING_BYTES = 32;

/**
 * Detects the media type of a photo in a format that browsers cannot display: raw, JPEG XL, JPEG 2000, Photoshop and BMP.
 * Resolves to undefined for any other file, also for a TIFF with a finished picture.
 */
export async function photoFormat(read: ReadBytes): Promise<string | undefined> {
  const beginning = latin1(await read(0, BEGINNING_BYTES));
  const raw = RAW_BEGINNINGS.find(([at, text]) => beginning.startsWith(text, at));
  if (raw) return rawType(raw[2]);
  const other = BEGINNINGS.find(([text]) => beginning.startsWith(text));
  if (other) return other[1];
  if (isBitmap(beginning)) return "image/bmp";
  const format = isTiff(beginning) ? await rawTiffFormat(read) : undefined;
  return format && rawType(format);
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
const FORMATS: readonly (readonly [maker: string, format: RawFormat])[] = [
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

/** Resolves to the name of a TIFF's raw format; undefined if it contains a processed picture. */
async function rawTiffFormat(read: ReadBytes): Promise<RawFormat | undefined> {
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
