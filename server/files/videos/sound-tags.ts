import { type FileHandle, open } from "node:fs/promises";
import { clockTime, withOffset } from "../dates/clock-time.ts";

/** The limits of work in a file whose lengths mislead. */
const MAX_STEPS = 2000;
const MAX_TEXT_BYTES = 128;
/** The part of an Ogg or FLAC file in which its comments begin. */
const MAX_COMMENT_BYTES = 1024 * 1024;

/**
 * The time at which a recording was made, or a song was released, as its tags say: ID3, Vorbis comments, RIFF's and
 * broadcasters' chunks, Apple's core audio and Windows' container. Undefined without one.
 */
export async function soundRecorded(path: string, type: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    for (const text of (await TEXTS[type]?.(file)) ?? []) {
      const date = clockTime(text);
      if (date) return withOffset(text, date);
    }
    return undefined;
  } finally {
    await file.close();
  }
}

/** Reads the dates of a file, the more reliable first. */
type Reader = (file: FileHandle) => Promise<string[]>;

const TEXTS: Partial<Record<string, Reader>> = {
  "audio/mpeg": (file) => id3Dates(file, 0),
  "audio/aac": (file) => id3Dates(file, 0),
  "audio/flac": async (file) => [
    ...(await id3Dates(file, 0)),
    ...commentDates(await bytesAt(file, 0, MAX_COMMENT_BYTES)),
  ],
  "audio/ogg": async (file) => commentDates(withoutPages(await bytesAt(file, 0, MAX_COMMENT_BYTES))),
  "audio/wav": (file) => riffDates(file, "little"),
  "audio/aiff": (file) => riffDates(file, "big"),
  "audio/x-caf": coreAudioDates,
  "audio/x-ms-wma": windowsDates,
};

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

const sevenBits = (bytes: Buffer, at: number) =>
  [0, 1, 2, 3].reduce((sum, byte) => sum * 128 + ((bytes[at + byte] ?? 0) & 127), 0);

/** Recorded, released, originally released; the older version has the year, day and time in three frames. */
const ID3_DATES = ["TDRC", "TDRL", "TDOR"];
const ID3_PARTS = { year: ["TYER", "TYE"], day: ["TDAT", "TDA"], time: ["TIME", "TIM"] };
const ID3_NAMES = new Set([...ID3_DATES, ...Object.values(ID3_PARTS).flat()]);

/** The dates of an ID3 tag at a position. Only the texts of dates are read, whatever the size of its pictures. */
async function id3Dates(file: FileHandle, from: number): Promise<string[]> {
  const head = await bytesAt(file, from, 10);
  if (head.toString("latin1", 0, 3) !== "ID3" || head.length < 10) return [];
  const version = head[3] ?? 0;
  const end = from + 10 + sevenBits(head, 6);
  const nameBytes = version === 2 ? 3 : 4;
  const headBytes = version === 2 ? 6 : 10;
  const texts = new Map<string, string>();
  let at = from + 10;
  if (version > 2 && (head[5] ?? 0) & 0x40) {
    const extended = await bytesAt(file, at, 4);
    at += version === 4 ? sevenBits(extended, 0) : (extended.length === 4 ? extended.readUInt32BE(0) : 0) + 4;
  }
  for (let steps = 0; at + headBytes < end && steps < MAX_STEPS; steps++) {
    const frame = await bytesAt(file, at, headBytes);
    const name = frame.toString("latin1", 0, nameBytes);
    if (frame.length < headBytes || !/^[A-Z0-9]+$/.test(name)) break;
    const length = version === 2 ? frame.readUIntBE(3, 3) : version === 4 ? sevenBits(frame, 4) : frame.readUInt32BE(4);
    if (ID3_NAMES.has(name))
      texts.set(name, textOf(await bytesAt(file, at + headBytes, Math.min(length, MAX_TEXT_BYTES))));
    at += headBytes + length;
  }
  const part = (names: string[]) => names.map((name) => texts.get(name)).find(Boolean) ?? "";
  const [year, day, time] = [part(ID3_PARTS.year), part(ID3_PARTS.day), part(ID3_PARTS.time)];
  // `DDMM` and `HHMM`.
  const [, dd, mm] = day.match(/^(\d\d)(\d\d)$/) ?? [];
  const clock = time.replace(/^(\d\d)(\d\d)$/, "T$1:$2:00");
  const older = /^\d{4}$/.test(year) ? [dd ? `${year}-${mm}-${dd}${clock}` : year] : [];
  return [...ID3_DATES.flatMap((name) => texts.get(name) ?? []), ...older];
}

/** The text of a frame after the byte that names its encoding; a date has only ASCII letters. */
const textOf = (bytes: Buffer) =>
  bytes
    .subarray(1)
    .toString("latin1")
    .replace(/[^\x20-\x7e]/g, "");

/** The dates of Vorbis comments, which are texts like `DATE=2019-05-04` after their lengths. */
function commentDates(bytes: Buffer): string[] {
  const text = bytes.toString("latin1");
  const dates = [...text.matchAll(/(?:^|[^A-Za-z])(DATE|ORIGINALDATE|YEAR|CREATION_TIME)=([\d :.TZ+/-]{4,32})/gi)];
  const named = (name: string) => dates.flatMap(([, key, value]) => (key?.toUpperCase() === name ? (value ?? "") : []));
  return ["CREATION_TIME", "DATE", "ORIGINALDATE", "YEAR"].flatMap(named);
}

/** The contents of an Ogg file's pages, up to the first unreadable one. */
function withoutPages(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; bytes.toString("latin1", at, at + 4) === "OggS"; ) {
    const segments = bytes[at + 26] ?? 0;
    const body = at + 27 + segments;
    const length = bytes.subarray(at + 27, body).reduce((sum, segment) => sum + segment, 0);
    parts.push(bytes.subarray(body, body + length));
    at = body + length;
  }
  return Buffer.concat(parts);
}

/** The position of the date and time in a broadcaster's chunk, after the description and two names. */
const BROADCAST_DATE_AT = 320;

/** The dates of the chunks of WAV and AIFF files. */
async function riffDates(file: FileHandle, endian: "little" | "big"): Promise<string[]> {
  const broadcast: string[] = [];
  const others: string[] = [];
  for (let at = 12, steps = 0; steps < MAX_STEPS; steps++) {
    const head = await bytesAt(file, at, 12);
    if (head.length < 8) break;
    const name = head.toString("latin1", 0, 4);
    const length = endian === "little" ? head.readUInt32LE(4) : head.readUInt32BE(4);
    if (name === "bext") {
      const text = (await bytesAt(file, at + 8 + BROADCAST_DATE_AT, 18)).toString("latin1");
      broadcast.push(text.replace(/^(\d{4})\D(\d\d)\D(\d\d)(\d\d)\D(\d\d)\D(\d\d)$/, "$1-$2-$3T$4:$5:$6"));
    } else if (name === "ICRD" || name === "IDIT") {
      others.push((await bytesAt(file, at + 8, Math.min(length, MAX_TEXT_BYTES))).toString("latin1"));
    } else if (name.toLowerCase() === "id3 ") others.push(...(await id3Dates(file, at + 8)));
    at += name === "LIST" && head.toString("latin1", 8, 12) === "INFO" ? 12 : 8 + length + (length % 2);
  }
  return [...broadcast, ...others];
}

/** The dates among the texts of Apple's core audio: names and values that end with zero. */
async function coreAudioDates(file: FileHandle): Promise<string[]> {
  for (let at = 8, steps = 0; steps < MAX_STEPS; steps++) {
    const head = await bytesAt(file, at, 12);
    if (head.length < 12) return [];
    const length = Number(head.readBigInt64BE(4));
    if (head.toString("latin1", 0, 4) === "info") {
      const texts = (await bytesAt(file, at + 16, Math.min(Math.max(0, length), 64 * 1024)))
        .toString("latin1")
        .split("\0");
      const textNamed = (name: string) => texts.find((_, index) => index % 2 === 1 && texts[index - 1] === name);
      return ["recorded date", "year"].flatMap((name) => textNamed(name) ?? []);
    }
    // The length of the last chunk may be unknown.
    if (length < 0) return [];
    at += 12 + length;
  }
  return [];
}

/** The identifier of the object with the time of writing, and the position of that time: 100 ns since 1601, in UTC. */
const FILE_PROPERTIES = Buffer.from("a1dcab8c47a9cf118ee400c00c205365", "hex");
const WRITTEN_AT = 48;
const EPOCH_1601_MS = 11_644_473_600_000;

/** The time at which a file of Windows was written, e.g. by its sound recorder. */
async function windowsDates(file: FileHandle): Promise<string[]> {
  for (let at = 30, steps = 0; steps < MAX_STEPS; steps++) {
    const object = await bytesAt(file, at, WRITTEN_AT + 8);
    if (object.length < 24) return [];
    if (object.subarray(0, 16).equals(FILE_PROPERTIES) && object.length === WRITTEN_AT + 8) {
      const date = new Date(Number(object.readBigUInt64LE(WRITTEN_AT)) / 10_000 - EPOCH_1601_MS);
      return Number.isNaN(date.getTime()) || date.getTime() < 0 ? [] : [date.toISOString().slice(0, 19)];
    }
    const length = Number(object.readBigUInt64LE(16));
    if (length < 24) return [];
    at += length;
  }
  return [];
}
