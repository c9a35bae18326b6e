/** The metadata of a file in an archive, known before its bytes are read. */
export interface ZipEntry {
  /** The path in the archive, with `/` between folders. */
  path: string;
  /** Bytes. */
  size: number;
  /** The CRC-32 of its bytes, unsigned. */
  crc32: number;
  /** Local time without a zone, e.g. `2019-05-04T12:33:11`. The format stores no zone. */
  at: string;
}

/** Numbers from these values on need ZIP64 fields. */
const MOST_32 = 0xffffffff;
const MOST_16 = 0xffff;
/** Versions needed to extract, by the specification: 4.5 for ZIP64, 1.0 otherwise. */
const VERSION_64 = 45;
const VERSION = 10;
/** Names are UTF-8. */
const UTF8 = 1 << 11;
/** Made on Unix, where files have permissions: readable by all, writable by the owner. */
const UNIX = 3 << 8;
const READABLE = (0o100644 << 16) >>> 0;

/** Builds the header before a file's bytes. */
export function localHeader(entry: ZipEntry): Buffer {
  const long = entry.size >= MOST_32;
  const name = Buffer.from(entry.path);
  // The specification requires both sizes in this record.
  const extra = long ? extra64([entry.size, entry.size]) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(long ? VERSION_64 : VERSION, 4);
  header.writeUInt16LE(UTF8, 6);
  header.writeUInt32LE(dosTime(entry.at), 10);
  header.writeUInt32LE(entry.crc32, 14);
  header.writeUInt32LE(long ? MOST_32 : entry.size, 18);
  header.writeUInt32LE(long ? MOST_32 : entry.size, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

export const localHeaderLength = (entry: ZipEntry): number =>
  30 + Buffer.byteLength(entry.path) + (entry.size >= MOST_32 ? 20 : 0);

/**
 * Builds a file's record in the directory at the archive's end. `offset` is the position of the file's local header.
 */
export function directoryRecord(entry: ZipEntry, offset: number): Buffer {
  const name = Buffer.from(entry.path);
  const longSize = entry.size >= MOST_32;
  const longOffset = offset >= MOST_32;
  const long = longSize || longOffset;
  const extra = long ? extra64([...(longSize ? [entry.size, entry.size] : []), ...(longOffset ? [offset] : [])]) : "";
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(UNIX | (long ? VERSION_64 : VERSION), 4);
  record.writeUInt16LE(long ? VERSION_64 : VERSION, 6);
  record.writeUInt16LE(UTF8, 8);
  record.writeUInt32LE(dosTime(entry.at), 12);
  record.writeUInt32LE(entry.crc32, 16);
  record.writeUInt32LE(longSize ? MOST_32 : entry.size, 20);
  record.writeUInt32LE(longSize ? MOST_32 : entry.size, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(READABLE, 38);
  record.writeUInt32LE(longOffset ? MOST_32 : offset, 42);
  return Buffer.concat([record, name, Buffer.from(extra)]);
}

export const directoryRecordLength = (entry: ZipEntry, offset: number): number => {
  const numbers = (entry.size >= MOST_32 ? 2 : 0) + (offset >= MOST_32 ? 1 : 0);
  return 46 + Buffer.byteLength(entry.path) + (numbers > 0 ? 4 + 8 * numbers : 0);
};

/** Builds the end of the archive: the position, record count and size of its directory. */
export function endRecords(directory: { count: number; offset: number; size: number }): Buffer {
  const { count, offset, size } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MOST_16), 8);
  end.writeUInt16LE(Math.min(count, MOST_16), 10);
  end.writeUInt32LE(Math.min(size, MOST_32), 12);
  end.writeUInt32LE(Math.min(offset, MOST_32), 16);
  if (count < MOST_16 && size < MOST_32 && offset < MOST_32) return end;

  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  // The length of the remaining record.
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(UNIX | VERSION_64, 12);
  end64.writeUInt16LE(VERSION_64, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

function extra64(numbers: number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  for (const [place, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * place);
  return extra;
}

/** DOS date and time, in steps of two seconds; clamped to the years 1980 to 2107. */
function dosTime(at: string): number {
  const [year = 1980, month = 1, day = 1, hour = 0, minute = 0, second = 0] = at.match(/\d+/g)?.map(Number) ?? [];
  if (year < 1980) return (1 << 21) | (1 << 16);
  if (year > 2107) return dosTime("2107-12-31T23:59:58");
  const date = ((year - 1980) << 9) | (month << 5) | day;
  return ((date << 16) | (hour << 11) | (minute << 5) | (second >> 1)) >>> 0;
}
