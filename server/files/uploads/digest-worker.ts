import { createHash, type Hash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { crc32 } from "node:zlib";

/**
 * To read a file up to a place, or the whole of it; to read the next bytes of a stream, whose place is `at`, to end a part
 * of it there, or to forget it. What has a number is answered under it.
 */
export type DigestRequest =
  | { path: string; upTo: number }
  | { path: string; asked: number }
  | { stream: number; at: number; bytes: Uint8Array }
  | { stream: number; at: number; asked: number }
  | { stream: number };

export interface DigestAnswer {
  asked: number;
  digests?: { size: number; sha256: string; crc32: number; head: Uint8Array };
  /** The SHA-256 of the part that ended, in hex. */
  part?: string;
  wrong?: Error;
}

/** Every type that has a magic number shows it within these. */
const HEAD_BYTES = 64 * 1024;
/** Read in one go: files take turns by it. */
const SLICE = Buffer.allocUnsafeSlow(1024 * 1024);
/** Unfinished files, and streams, that are remembered, at the most; a file that is forgotten is read again. */
const REMEMBERED = 1000;

/** What has been read of some bytes. */
class Digesting {
  readonly #sha256: Hash = createHash("sha256");
  readonly #head: Uint8Array[] = [];
  #crc32 = 0;
  /** How many have been read. */
  at = 0;

  add(bytes: Uint8Array): void {
    this.#sha256.update(bytes);
    this.#crc32 = crc32(bytes, this.#crc32);
    if (this.at < HEAD_BYTES) this.#head.push(Uint8Array.from(bytes.subarray(0, HEAD_BYTES - this.at)));
    this.at += bytes.length;
  }

  digests(): NonNullable<DigestAnswer["digests"]> {
    return {
      size: this.at,
      sha256: this.#sha256.copy().digest("hex"),
      crc32: this.#crc32,
      head: Buffer.concat(this.#head),
    };
  }
}

/** A file as far as it has been read. */
class Reading extends Digesting {
  /** How far it is to be read. */
  upTo = 0;
  /** All who wait for the whole of it. */
  readonly askers: number[] = [];

  constructor(readonly path: string) {
    super();
  }

  /** Reads one slice; whether there is more to read. Throws where the file can not be read. */
  read(): boolean {
    const file = openSync(this.path, "r");
    try {
      if (this.askers.length > 0) this.upTo = fstatSync(file).size;
      const length = readSync(file, SLICE, 0, Math.max(0, Math.min(SLICE.length, this.upTo - this.at)), this.at);
      this.add(SLICE.subarray(0, length));
      return length > 0 && this.at < this.upTo;
    } finally {
      closeSync(file);
    }
  }
}

const readings = new Map<string, Reading>();
const busy: Reading[] = [];

/** A stream as far as it has come. The first part is the whole so far, and is not read twice. */
interface Stream {
  whole: Digesting;
  part?: Hash;
}

const streams = new Map<number, Stream>();

parentPort?.on("message", (request: DigestRequest) => {
  if ("path" in request) read(request);
  else if ("bytes" in request) addTo(request);
  else if ("asked" in request) post(endPart(request));
  else streams.delete(request.stream);
});

function read(request: Extract<DigestRequest, { path: string }>): void {
  const reading = readings.get(request.path) ?? remember(readings, request.path, new Reading(request.path));
  if ("asked" in request) reading.askers.push(request.asked);
  else reading.upTo = request.upTo;
  if (busy.includes(reading)) return;
  busy.push(reading);
  if (busy.length === 1) setImmediate(turn);
}

/** A stream that was forgotten, of which only later bytes come, stays so. */
function addTo({ stream, at, bytes }: Extract<DigestRequest, { bytes: Uint8Array }>): void {
  const known = at === 0 ? remember(streams, stream, { whole: new Digesting() }) : streams.get(stream);
  if (known?.whole.at !== at) return;
  known.whole.add(bytes);
  known.part?.update(bytes);
}

function endPart({ stream, at, asked }: Extract<DigestRequest, { stream: number; asked: number }>): DigestAnswer {
  const known = streams.get(stream) ?? (at === 0 ? { whole: new Digesting() } : undefined);
  if (known?.whole.at !== at) return { asked, wrong: new Error("The bytes before these are not known") };
  const digests = known.whole.digests();
  const part = known.part?.digest("hex") ?? digests.sha256;
  known.part = createHash("sha256");
  return { asked, digests, part };
}

const post = (answer: DigestAnswer) => parentPort?.postMessage(answer);

/** A slice of the next file. One at a time, so that what comes in meanwhile is heard. */
function turn(): void {
  const reading = busy.shift();
  if (!reading) return;
  try {
    if (reading.read()) busy.push(reading);
    else if (reading.askers.length > 0) answer(reading, { digests: reading.digests() });
  } catch (error) {
    // What nobody asked for yet goes wrong again when somebody does.
    answer(reading, { wrong: error as Error });
  }
  if (busy.length > 0) setImmediate(turn);
}

function answer(reading: Reading, found: Omit<DigestAnswer, "asked">): void {
  readings.delete(reading.path);
  for (const asked of reading.askers) post({ asked, ...found });
}

function remember<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): Value {
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
  return value;
}
