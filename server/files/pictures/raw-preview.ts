import { TiffReader } from "../../../shared/tiff.ts";
import { reading, type Source } from "./sources.ts";

/** The preview that a camera stored in a raw photo. */
export interface RawPreview {
  /** The position of a JPEG in the file. */
  at: number;
  /** Pixels as stored. */
  width: number;
  height: number;
  /** How the whole photo is turned; a preview without an own orientation is turned so. */
  orientation: number;
}

type Read = (at: number, length: number) => Promise<Buffer>;

const CHUNK_BYTES = 1024 * 1024;
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
/** The number of possible JPEGs that are examined. Real files have a few, and chance finds one in 16 MB of sensor data. */
const MOST_CANDIDATES = 500;

/**
 * Finds the largest JPEG in a raw photo; resolves to undefined if it has none. Each maker refers to it in another way, often
 * in secret notes, so the whole file is searched; JPEGs that are pieces of the sensor's data do not count.
 */
export function rawPreview(source: Source): Promise<RawPreview | undefined> {
  return reading(source, async (read, size) => {
    const { orientation, sensor, pieces } = await describeRaw(read);
    let largest: RawPreview | undefined;
    let candidates = 0;
    for (let from = 0; from < size && candidates < MOST_CANDIDATES; from += CHUNK_BYTES) {
      // Two bytes more, since a beginning may lie across the end.
      const chunk = await read(from, CHUNK_BYTES + JPEG.length - 1);
      for (let at = chunk.indexOf(JPEG); at !== -1 && candidates < MOST_CANDIDATES; at = chunk.indexOf(JPEG, at + 1)) {
        candidates += 1;
        const picture = await jpegSize(read, from + at);
        if (!picture || picture.width * picture.height <= (largest?.width ?? 0) * (largest?.height ?? 0)) continue;
        if (!pieces.has(from + at)) largest = { ...picture, at: from + at, orientation };
      }
    }
    // Some phones turn the preview, but not the sensor's data.
    const isUpright = largest && sensor && orientation > 4 && isPortrait(largest) !== isPortrait(sensor);
    return largest && isUpright ? { ...largest, orientation: 1 } : largest;
  });
}

const isPortrait = ({ width, height }: { width: number; height: number }) => height > width;

const MOST_SEGMENTS = 64;
/** Frames of baseline, extended and progressive pictures. Raw data are in others, which lose nothing. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const FIRST_SEGMENTS = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, 0xfe]);

/** The size of a JPEG whose segments lead to a frame of three colours or grey; undefined for anything else. */
async function jpegSize(read: Read, start: number): Promise<{ width: number; height: number } | undefined> {
  let at = start + 2;
  for (let segment = 0; segment < MOST_SEGMENTS; segment++) {
    const bytes = await read(at, 10);
    const marker = bytes[1] ?? 0;
    if (bytes.length < 10 || bytes[0] !== 0xff) return undefined;
    if (!FIRST_SEGMENTS.has(marker) && (marker < 0xe0 || marker > 0xef)) return undefined;
    const length = bytes.readUInt16BE(2);
    if (length < 2) return undefined;
    if (FRAMES.has(marker)) {
      const [depth, height, width, colours] = [bytes[4], bytes.readUInt16BE(5), bytes.readUInt16BE(7), bytes[9]];
      const fits = depth === 8 && width > 0 && height > 0 && (colours === 3 || colours === 1);
      return fits && length === 8 + 3 * (colours ?? 0) ? { width, height } : undefined;
    }
    at += 2 + length;
  }
  return undefined;
}

interface RawDescription {
  orientation: number;
  /** The size of the sensor's data. */
  sensor: { width: number; height: number } | undefined;
  /** Positions of the pieces of the sensor's data, which may be JPEGs of their own. */
  pieces: ReadonlySet<number>;
}

const TAG = {
  width: 256,
  height: 257,
  photometric: 262,
  strips: 273,
  orientation: 274,
  tiles: 324,
  subDirectories: 330,
};
/** Photometric values of unprocessed sensor data: colour filter array and linear raw. */
const SENSOR = new Set([32_803, 34_892]);
const MOST_DIRECTORIES = 16;
const MOST_PIECES = 20_000;

/** Reads what the directories of a TIFF, or the description of a CR3, tell. */
async function describeRaw(read: Read): Promise<RawDescription> {
  const start = await tiffStart(read);
  const pieces = new Set<number>();
  if (start === undefined) return { orientation: 1, sensor: undefined, pieces };
  const shifted: Read = (at, length) => read(start + at, length);
  const tiff = new TiffReader(shifted, (await shifted(0, 1))[0] === 0x49);
  const waiting = [await tiff.number(4, 4)];
  const visited = new Set<number>();
  let orientation: number | undefined;
  let sensor: RawDescription["sensor"];
  while (waiting.length > 0 && visited.size < MOST_DIRECTORIES) {
    const at = waiting.shift() ?? 0;
    if (visited.has(at)) continue;
    visited.add(at);
    const { entries, next } = await tiff.directory(at);
    if (next > 0) waiting.push(next);
    const entryOf = (tag: number) => entries.find((entry) => entry.tag === tag);
    const numberOf = async (tag: number) => {
      const entry = entryOf(tag);
      return entry && tiff.value(entry);
    };
    orientation ??= await numberOf(TAG.orientation);
    const children = entryOf(TAG.subDirectories);
    if (children) waiting.push(...(await tiff.values(children, MOST_DIRECTORIES)));
    if (!SENSOR.has((await numberOf(TAG.photometric)) ?? 0)) continue;
    const [width = 0, height = 0] = [await numberOf(TAG.width), await numberOf(TAG.height)];
    sensor ??= { width, height };
    for (const tag of [TAG.strips, TAG.tiles]) {
      const entry = entryOf(tag);
      for (const position of entry ? await tiff.values(entry, MOST_PIECES) : []) pieces.add(position);
    }
  }
  return { orientation: orientation && orientation <= 8 ? orientation : 1, sensor, pieces };
}

/** The part of a CR3 in which Canon's descriptions are. */
const CR3_HEAD_BYTES = 64 * 1024;

/** The position of the TIFF structure in a raw file; undefined without one, as in RAF, whose preview describes itself. */
async function tiffStart(read: Read): Promise<number | undefined> {
  const head = await read(0, CR3_HEAD_BYTES);
  const order = head.toString("latin1", 0, 2);
  if (order === "II" || order === "MM") return 0;
  const at = head.indexOf("CMT1", 0, "latin1");
  return at > 0 ? at + 4 : undefined;
}
