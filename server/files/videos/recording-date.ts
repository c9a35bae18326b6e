import { type FileHandle, open } from "node:fs/promises";
import { localTimeAt, type Place, placeOf } from "../../../shared/local-time.ts";
import { DV } from "../../../shared/video-format.ts";
import { clockTime, withOffset } from "../dates/clock-time.ts";
import { movieCreated } from "./iso-boxes.ts";

/** Tags of a movie by their names in the file. */
export type MovieTags = Readonly<Record<string, unknown>>;

/** The earliest plausible year; earlier dates come from cameras whose clock was never set. */
const FIRST_YEAR = 1990;

/** Dates with a zone, as iPhones and some cameras write them, the more reliable first. */
const CLOCKS = ["com.apple.quicktime.creationdate", "com.apple.proapps.shootingDate", "©day"];
const PLACES = ["com.apple.quicktime.location.ISO6709", "©xyz"];
/** Other programs write the digits with another mark in front. */
const LATITUDE = /[+-]\d{1,2}(?:\.\d+)?[+-]\d.*/;

/**
 * The time at which the MP4 or QuickTime movie at `path` was recorded: a local time with its offset
 * (`2019-05-04T12:33:11+02:00`) if it is known, otherwise the time of the header, which is in UTC in most files and
 * local in those of some cameras. A song may be older than any camera's clock.
 */
export async function movieRecorded(path: string, tags: MovieTags, isSong = false): Promise<string | undefined> {
  for (const name of CLOCKS) {
    const text = tags[name];
    const date = clockTime(text);
    if (typeof text === "string" && date?.zone === "local" && isPlausible(date.at)) return withOffset(text, date);
  }
  const file = await open(path);
  const created = await movieCreated(file).finally(() => file.close());
  const instant = new Date(created ?? Number.NaN);
  if (!Number.isNaN(instant.getTime()) && isPlausible(instant.toISOString())) {
    const place =
      PLACES.map((name) => placeOf(String(tags[name] ?? "").match(LATITUDE)?.[0])).find(Boolean) ?? loci(tags);
    return (place && localTimeAt(instant, place)) ?? instant.toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);
  }
  // A date without a zone is a day or a year in most files.
  const dates = CLOCKS.map((name) => clockTime(tags[name])?.at).filter(
    (at) => at !== undefined && (isSong || isPlausible(at)),
  );
  return dates.find((at) => at?.includes("T")) ?? dates[0];
}

/** The place in 3GPP's box: version, language, a name that ends with zero, a role, and two numbers. */
function loci({ loci }: MovieTags): Place | undefined {
  if (!(loci instanceof Uint8Array)) return undefined;
  const box = Buffer.from(loci);
  const at = box.indexOf(0, LOCI_NAME_AT) + 2;
  if (at < LOCI_NAME_AT || at + 8 > box.length) return undefined;
  return { longitude: box.readInt32BE(at) / FIXED_POINT, latitude: box.readInt32BE(at + 4) / FIXED_POINT };
}

const LOCI_NAME_AT = 6;
const FIXED_POINT = 65_536;

const isPlausible = (at: string) =>
  Number(at.slice(0, 4)) >= FIRST_YEAR && Date.parse(at.slice(0, 10)) < Date.now() + 2 * 86_400_000;

/** The time at which an AVI, MPEG transport stream or DV tape was recorded, in the camera's local time; undefined without one. */
export async function containerRecorded(path: string, type: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    if (type === "video/vnd.avi") return await aviRecorded(file);
    if (type === DV) return await tapeRecorded(file);
    return type === "video/mp2t" ? await streamRecorded(file) : undefined;
  } finally {
    await file.close();
  }
}

/** Chunks of an AVI whose content is more chunks; their names follow the list's size. */
const AVI_LISTS = new Set(["RIFF", "LIST"]);
const AVI_DATES = ["IDIT", "ICRD"];

/** Reads the chunks before the pictures; some programs write the date after the index, at the end of the file. */
async function aviRecorded(file: FileHandle): Promise<string | undefined> {
  const { size } = await file.stat();
  const texts = new Map<string, string>();
  const head = Buffer.alloc(12);
  for (let at = 0, chunks = 0; at + 8 <= size && chunks < 500; chunks++) {
    const { bytesRead } = await file.read(head, 0, 12, at);
    if (bytesRead < 8) break;
    const [name, length] = [head.toString("latin1", 0, 4), head.readUInt32LE(4)];
    const isOpened = AVI_LISTS.has(name) && head.toString("latin1", 8, 12) !== "movi";
    if (AVI_DATES.includes(name) && length <= 64) {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, at + 8);
      texts.set(name, buffer.toString("latin1"));
    }
    at += isOpened ? 12 : 8 + length + (length % 2);
  }
  for (const name of AVI_DATES) {
    const date = clockTime(texts.get(name));
    if (date && isPlausible(date.at)) return withOffset(texts.get(name) ?? "", date);
  }
  return undefined;
}

const PACKET_BYTES = 188;
const STREAM_BYTES = 4 * 1024 * 1024;
/** The bytes before the camera's data in a picture of a camcorder (AVCHD): a UUID and a name. */
const CAMCORDER = Buffer.from("17ee8c60f84d11d98cd60800200c9a664d44504d", "hex");
/** Entries of the camera's data: zone, century, year and month; day, hour, minute and second. */
const [YEAR_MONTH, DAY_TIME] = [0x18, 0x19];
const ENTRY_BYTES = 5;

/** Reads the date of the first pictures of a camcorder's stream. */
async function streamRecorded(file: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(STREAM_BYTES), 0, STREAM_BYTES, 0);
  for (const payload of payloads(buffer.subarray(0, bytesRead))) {
    const at = payload.indexOf(CAMCORDER);
    const date = at === -1 ? undefined : camcorderDate(payload.subarray(at + CAMCORDER.length, at + 1024));
    if (date && isPlausible(date)) return date;
  }
  return undefined;
}

/** The contents of the streams, without the packets' headers. */
function payloads(bytes: Buffer): Buffer[] {
  // Camcorders write four bytes before each packet.
  const before = bytes[0] === 0x47 && bytes[PACKET_BYTES] === 0x47 ? 0 : 4;
  const parts = new Map<number, Buffer[]>();
  for (let at = before; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES + before) {
    if (bytes[at] !== 0x47) break;
    const [id, control] = [bytes.readUInt16BE(at + 1) & 0x1fff, bytes.readUInt8(at + 3)];
    if (!(control & 0x10)) continue;
    const from = at + 4 + (control & 0x20 ? 1 + bytes.readUInt8(at + 4) : 0);
    const part = bytes.subarray(from, at + PACKET_BYTES);
    const stream = parts.get(id);
    if (stream) stream.push(part);
    else parts.set(id, [part]);
  }
  return [...parts.values()].map((stream) => Buffer.concat(stream));
}

function camcorderDate(data: Buffer): string | undefined {
  // H.264 writes a 3 after two zeros.
  const plain = Buffer.from(data.toString("latin1").replaceAll("\0\0\x03", "\0\0"), "latin1");
  const entries = new Map<number, Buffer>();
  for (let index = 0, at = 1; index < (plain[0] ?? 0) && at + ENTRY_BYTES <= plain.length; index++, at += ENTRY_BYTES) {
    entries.set(plain.readUInt8(at), plain.subarray(at + 1, at + ENTRY_BYTES));
  }
  const [month, day] = [entries.get(YEAR_MONTH), entries.get(DAY_TIME)];
  // The digits are written as hexadecimal ones.
  return month && day && clockTime(`${month.toString("hex").slice(2)}${day.toString("hex")}`)?.at;
}

/** Two frames of 144,000 bytes, as in Europe; those of America are smaller. */
const TAPE_BYTES = 288_000;
const BLOCK_BYTES = 80;
/** The kind of a block, in its first three bits, that has data about the pictures, and the bytes of its entries. */
const [ABOUT_PICTURES, PACK_BYTES] = [2, 5];
/** Entries of a tape: frame, day, month and year; frame, second, minute and hour. */
const [TAPE_DAY, TAPE_TIME] = [0x62, 0x63];
/** Years of two digits from this one on are of the last century. The first camcorders of this kind are from 1995. */
const CENTURY = 90;

/** Reads the date of the first pictures on a DV tape (IEC 61834-4), which is written in decimal digits. */
async function tapeRecorded(file: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(TAPE_BYTES), 0, TAPE_BYTES, 0);
  const packs = new Map<number, Buffer>();
  for (let at = 0; at + BLOCK_BYTES <= bytesRead; at += BLOCK_BYTES) {
    if (buffer.readUInt8(at) >> 5 !== ABOUT_PICTURES) continue;
    for (let pack = at + 3; pack + PACK_BYTES <= at + BLOCK_BYTES; pack += PACK_BYTES) {
      const name = buffer.readUInt8(pack);
      if (!packs.has(name)) packs.set(name, buffer.subarray(pack + 2, pack + PACK_BYTES));
    }
  }
  const day = digitsOf(packs.get(TAPE_DAY), [0x3f, 0x1f, 0xff]);
  const time = digitsOf(packs.get(TAPE_TIME), [0x7f, 0x7f, 0x3f]);
  if (!day || !time) return undefined;
  const century = Number(day.slice(0, 2)) >= CENTURY ? "19" : "20";
  const date = clockTime(`${century}${day}${time}`)?.at;
  return date && isPlausible(date) ? date : undefined;
}

/** The digits of an entry, its last byte first; `masks` remove flags. Undefined for a clock that was never set. */
function digitsOf(bytes: Buffer | undefined, masks: number[]): string | undefined {
  const digits = masks.map((mask, place) => ((bytes?.[place] ?? 0xff) & mask).toString(16).padStart(2, "0"));
  return digits.some((pair) => /[a-f]/.test(pair)) ? undefined : digits.toReversed().join("");
}
