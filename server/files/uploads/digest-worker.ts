import { createHash, type Hash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { Digesting, type Digests } from "./digesting.ts";

/**
 * The requests, in the order of this union: read the first `upTo` bytes of a file; read a whole file; add the bytes at
 * offset `at` to a stream; end a part of a stream; drop the bytes of a stream after offset `rewindTo`; drop a stream.
 * The answer to a request with a number (`requestId`) contains that number.
 */
export type DigestRequest =
  | { path: string; upTo: number }
  | { path: string; requestId: number }
  | { stream: number; at: number; bytes: Uint8Array }
  | { stream: number; at: number; requestId: number }
  | { stream: number; rewindTo: number }
  | { stream: number };

export interface DigestAnswer {
  requestId: number;
  digests?: Omit<Digests, "head"> & { head: Uint8Array };
  /** The SHA-256 of the ended part, in hex. */
  part?: string;
  wrong?: Error;
}

/** The buffer for one slice. Files take turns after each slice. */
const SLICE = Buffer.allocUnsafeSlow(1024 * 1024);
/** The maximum number of unfinished files and streams in memory; a forgotten file is read again. */
const REMEMBERED = 1000;

/** A file and how far it has been read. */
class Reading extends Digesting {
  /** The offset up to which it is to be read. */
  upTo = 0;
  /** The numbers of the requests that wait for the complete file. */
  readonly requestIds: number[] = [];

  constructor(readonly path: string) {
    super();
  }

  /** Reads one slice; returns whether more is to be read. Throws if the file cannot be read. */
  read(): boolean {
    const file = openSync(this.path, "r");
    try {
      if (this.requestIds.length > 0) this.upTo = fstatSync(file).size;
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

/**
 * The digests of a stream: of all bytes, of the current part, and of all bytes up to the end of the last part. The
 * first part needs no separate digest, because it equals that of all bytes.
 */
interface Stream {
  whole: Digesting;
  part?: Hash;
  ended?: Digesting;
}

const streams = new Map<number, Stream>();

parentPort?.on("message", (request: DigestRequest) => {
  if ("path" in request) read(request);
  else if ("bytes" in request) addTo(request);
  else if ("requestId" in request) post(endPart(request));
  else if ("rewindTo" in request) rewind(request);
  else streams.delete(request.stream);
});

function read(request: Extract<DigestRequest, { path: string }>): void {
  const reading = readings.get(request.path) ?? remember(readings, request.path, new Reading(request.path));
  if ("requestId" in request) reading.requestIds.push(request.requestId);
  else reading.upTo = request.upTo;
  if (busy.includes(reading)) return;
  busy.push(reading);
  if (busy.length === 1) setImmediate(turn);
}

/** Adds bytes to a stream. Ignores them if the stream is no longer in memory. */
function addTo({ stream, at, bytes }: Extract<DigestRequest, { bytes: Uint8Array }>): void {
  const state = at === 0 ? remember(streams, stream, { whole: new Digesting() }) : streams.get(stream);
  if (state?.whole.at !== at) return;
  state.whole.add(bytes);
  state.part?.update(bytes);
}

function endPart({
  stream,
  at,
  requestId,
}: Extract<DigestRequest, { stream: number; requestId: number }>): DigestAnswer {
  const state = streams.get(stream) ?? (at === 0 ? { whole: new Digesting() } : undefined);
  if (state?.whole.at !== at) return { requestId, wrong: new Error("The bytes before these are not known") };
  const digests = state.whole.digests();
  const part = state.part?.digest("hex") ?? digests.sha256;
  state.part = createHash("sha256");
  state.ended = new Digesting(state.whole);
  return { requestId, digests, part };
}

/** Returns a stream to its state at an offset. Drops the stream if that state is unknown. */
function rewind({ stream, rewindTo }: Extract<DigestRequest, { rewindTo: number }>): void {
  const ended = streams.get(stream)?.ended;
  if (ended?.at === rewindTo) streams.set(stream, { whole: new Digesting(ended), part: createHash("sha256"), ended });
  else streams.delete(stream);
}

const post = (answer: DigestAnswer) => parentPort?.postMessage(answer);

/** Reads only one slice of the next file, so that messages are handled in between. */
function turn(): void {
  const reading = busy.shift();
  if (!reading) return;
  try {
    if (reading.read()) busy.push(reading);
    else if (reading.requestIds.length > 0) answer(reading, { digests: reading.digests() });
  } catch (error) {
    // Without a request the error is dropped; a later request repeats it.
    answer(reading, { wrong: error as Error });
  }
  if (busy.length > 0) setImmediate(turn);
}

function answer(reading: Reading, digests: Omit<DigestAnswer, "requestId">): void {
  readings.delete(reading.path);
  for (const requestId of reading.requestIds) post({ requestId, ...digests });
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): Value {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
  return value;
}
