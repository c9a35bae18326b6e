import sharp from "sharp";
import { box, word } from "./boxes.ts";

type Values = number | string | readonly number[];
type Entry = readonly [tag: number, type: number, values: Values];

const [ASCII, SHORT, LONG, RATIONAL, UNDEFINED] = [2, 3, 4, 5, 7];
const BYTES: Record<number, number> = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [RATIONAL]: 8, [UNDEFINED]: 1 };

/** Directories of a TIFF with the low byte first; `start` is the position of the first one. */
function directories(start: number, ...lists: Entry[][]): Buffer {
  const parts: Buffer[] = [];
  let at = start;
  for (const entries of lists) {
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    const external: Buffer[] = [];
    let externalAt = at + directory.length;
    entries.forEach(([tag, type, values], index) => {
      const bytes = valueBytes(type, values);
      const entry = 2 + index * 12;
      directory.writeUInt16LE(tag, entry);
      directory.writeUInt16LE(type, entry + 2);
      directory.writeUInt32LE(bytes.length / (BYTES[type] ?? 1), entry + 4);
      if (bytes.length <= 4) bytes.copy(directory, entry + 8);
      else {
        directory.writeUInt32LE(externalAt, entry + 8);
        external.push(bytes);
        externalAt += bytes.length;
      }
    });
    const part = Buffer.concat([directory, ...external]);
    parts.push(part);
    at += part.length;
  }
  return Buffer.concat(parts);
}

function valueBytes(type: number, values: Values): Buffer {
  if (typeof values === "string") return Buffer.from(`${values}\0`, "latin1");
  const list = typeof values === "number" ? [values] : values;
  const size = type === SHORT ? 2 : type === UNDEFINED ? 1 : 4;
  const bytes = Buffer.alloc(list.length * size);
  for (const [index, value] of list.entries()) bytes.writeUIntLE(value, index * size, size);
  return bytes;
}

const lengthOf = (...lists: Entry[][]) => directories(0, ...lists).length;

export interface RawOptions {
  make?: string;
  orientation?: number;
  /** The first bytes of the file, instead of a TIFF's. */
  signature?: string;
  /** A preview that is turned already, as some phones write it. */
  isUpright?: boolean;
  dng?: boolean;
  /** Makes the directories lead in circles. */
  circular?: boolean;
}

/** What everybody but its managers must not receive. */
export const RAW_SECRETS = ["SN-4711", "Ada's camera"];
/** The time in the raw photos. */
export const RAW_TIME = "2012:07:14 16:05:09";

/** A JPEG whose left half is (200, 100, 30) and whose right one is (30, 60, 200). */
export async function previewJpeg(width: number, height: number): Promise<Buffer> {
  const half = { width: Math.floor(width / 2), height, channels: 3, background: { r: 30, g: 60, b: 200 } } as const;
  const right = await sharp({ create: half }).png().toBuffer();
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 100, b: 30 } } })
    .composite([{ input: right, left: width - half.width, top: 0 }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** The sensor's data as cameras write them: a JPEG that loses nothing, which must not be taken for a preview. */
const SENSOR_DATA = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 14, 14, 0x0f, 0xa0, 0x17, 0x70, 2, 0, 0x11, 0, 1, 0x11, 0]),
  Buffer.alloc(5000, 0x5a),
]);

/**
 * A raw photo whose structure is that of a TIFF, as in NEF, ARW, CR2, DNG, ORF and RW2: a thumbnail, the sensor's data, and a
 * preview of 600 × 400 pixels; with EXIF, a place and a serial number.
 */
export async function tiffRaw(options: RawOptions = {}): Promise<Buffer> {
  const { make = "NIKON CORPORATION", orientation = 1, signature = "II*\0", isUpright, dng, circular } = options;
  const thumbnail = await previewJpeg(60, 40);
  const preview = isUpright ? await previewJpeg(400, 600) : await previewJpeg(600, 400);
  const first = 16;
  const listsAt = (at: { exif: number; gps: number; previewIfd: number; sensorIfd: number; data: number }) => {
    const thumbnailAt = at.data;
    const sensorAt = thumbnailAt + thumbnail.length;
    const previewAt = sensorAt + SENSOR_DATA.length;
    const main: Entry[] = [
      [254, LONG, 1],
      [271, ASCII, make],
      [274, SHORT, orientation],
      [306, ASCII, "2013:01:01 00:00:00"],
      [330, LONG, circular ? [first, first] : [at.previewIfd, at.sensorIfd]],
      [513, LONG, thumbnailAt],
      [514, LONG, thumbnail.length],
      [34_665, LONG, at.exif],
      [34_853, LONG, at.gps],
      ...(dng ? [[50_706, UNDEFINED, [1, 4, 0, 0]] as Entry] : []),
    ];
    const exif: Entry[] = [
      [36_867, ASCII, RAW_TIME],
      [42_032, ASCII, RAW_SECRETS[1] ?? ""],
      [42_033, ASCII, RAW_SECRETS[0] ?? ""],
    ];
    const gps: Entry[] = [
      [1, ASCII, "N"],
      [2, RATIONAL, [45, 1, 30, 1, 0, 1]],
      [3, ASCII, "E"],
      [4, RATIONAL, [9, 1, 12, 1, 0, 1]],
    ];
    const previewIfd: Entry[] = [
      [254, LONG, 1],
      [259, SHORT, 6],
      [513, LONG, previewAt],
      [514, LONG, preview.length],
    ];
    const sensorIfd: Entry[] = [
      [254, LONG, 0],
      [256, LONG, 6000],
      [257, LONG, 4000],
      [259, SHORT, 34_713],
      [262, SHORT, 32_803],
      [273, LONG, sensorAt],
      [279, LONG, SENSOR_DATA.length],
    ];
    return [main, exif, gps, previewIfd, sensorIfd] as const;
  };
  const draft = listsAt({ exif: 0, gps: 0, previewIfd: 0, sensorIfd: 0, data: 0 });
  const [main, exif, gps, previewIfd, sensorIfd] = draft.map((list) => lengthOf(list)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const at = { exif: first + main, gps: first + main + exif, previewIfd: first + main + exif + gps } as const;
  const sensorAt = at.previewIfd + previewIfd;
  const lists = listsAt({ ...at, sensorIfd: sensorAt, data: sensorAt + sensorIfd });
  const header = Buffer.alloc(first);
  header.write(signature, 0, "latin1");
  header.writeUInt32LE(first, 4);
  if (signature.length > 8) header.write(signature.slice(8), 8, "latin1");
  return Buffer.concat([header, directories(first, ...lists), thumbnail, SENSOR_DATA, preview]);
}

/** A JPEG of a camera, with its EXIF. */
export const cameraJpeg = async (orientation = 1): Promise<Buffer> =>
  sharp(await previewJpeg(600, 400))
    .withExif({ IFD2: { DateTimeOriginal: RAW_TIME } })
    .withMetadata({ orientation })
    .jpeg({ quality: 95 })
    .toBuffer();

/** A Fujifilm RAF: a header, a whole JPEG with EXIF, and the sensor's data. */
export async function raf(orientation = 1): Promise<Buffer> {
  const header = Buffer.alloc(160);
  header.write("FUJIFILMCCD-RAW 0201FF383501X-T1", 0, "latin1");
  const jpeg = await cameraJpeg(orientation);
  header.writeUInt32BE(header.length, 84);
  header.writeUInt32BE(jpeg.length, 88);
  return Buffer.concat([header, jpeg, SENSOR_DATA, Buffer.from(RAW_SECRETS.join(" "))]);
}

/** A Canon CR3: boxes with directories of TIFFs, and a preview in the media data. */
export async function cr3(orientation = 1): Promise<Buffer> {
  const tiff = (entries: Entry[]) => Buffer.concat([Buffer.from("II*\0\x08\0\0\0", "latin1"), directories(8, entries)]);
  const exif: Entry[] = [
    [36_867, ASCII, RAW_TIME],
    [42_033, ASCII, RAW_SECRETS[0] ?? ""],
  ];
  const descriptions = [
    box(
      "CMT1",
      tiff([
        [271, ASCII, "Canon"],
        [274, SHORT, orientation],
      ]),
    ),
    box("CMT2", tiff(exif)),
    box("CMT4", tiff([[1, ASCII, "N"]])),
  ];
  const canon = box("uuid", Buffer.from("85c0b687820f11e08111f4ce462b6a48", "hex"), ...descriptions);
  const data = Buffer.concat([SENSOR_DATA, await previewJpeg(600, 400)]);
  return Buffer.concat([box("ftyp", "crx ", word(1), "crx isom"), box("moov", canon), box("mdat", data)]);
}
