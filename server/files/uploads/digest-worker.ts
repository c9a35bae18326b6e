import { createHash, type Hash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { Digesting, type Digests } from "./digesting.ts";

/**
 * To read a file up to a place, or the whole of it; to read the next bytes of a stream, whose place is `at`, to end a part
 * of it there, to forget what came after the part that ended at `rewindTo`, or to forget the stream. What has a number is
 * answered under it.
 */
export type DigestRequest =
  | { path: string; upTo: number }
  | { path: string; asked: number }
  | { stream: number; at: number; bytes: Uint8Array }
  | { stream: number; at: number; asked: number }
  | { stream: number; rewindTo: number }
  | { stream: number };

export interface DigestAnswer {
  asked: number;
  digests?: Omit<Digests, "head"> & { head: Uint8Array };
  /** The SHA-256 of the part that ended, in hex. */
  part?: string;
  wrong?: Error;
}

/** Files take turns, one slice each. */
const SLICE = Buffer.allocUnsafeSlow(1024 * 1024);
/** The maximum number of unfinished files and streams in memory; a forgotten file is read again. */
const REMEMBERED = 1000;

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

/** The state of a stream, now and at the end of its last part. The first part's digest is that of the whole so far. */
interface Stream {
  whole: Digesting;
  part?: Hash;
  ended?: Digesting;
}

const streams = new Map<number, Stream>();

parentPort?.on("message", (request: DigestRequest) => {
  if ("path" in request) read(request);
  else if ("bytes" in request) addTo(request);
  else if ("asked" in request) post(endPart(request));
  else if ("rewindTo" in request) rewind(request);
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

/** Later bytes of a forgotten stream are ignored. */
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
  known.ended = new Digesting(known.whole);
  return { asked, digests, part };
}

/** A stream without a state at that position is forgotten. */
function rewind({ stream, rewindTo }: Extract<DigestRequest, { rewindTo: number }>): void {
  const ended = streams.get(stream)?.ended;
  if (ended?.at === rewindTo) streams.set(stream, { whole: new Digesting(ended), part: createHash("sha256"), ended });
  else streams.delete(stream);
}

const post = (answer: DigestAnswer) => parentPort?.postMessage(answer);

/** Reads a slice of the next file. Only one, so that messages are handled in between. */
function turn(): void {
  const reading = busy.shift();
  if (!reading) return;
  try {
    if (reading.read()) busy.push(reading);
    else if (reading.askers.length > 0) answer(reading, { digests: reading.digests() });
  } catch (error) {
    // Without a request the error is dropped; a later request repeats it.
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
