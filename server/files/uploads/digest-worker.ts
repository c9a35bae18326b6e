import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { crc32 } from "node:zlib";

/** To read a file up to a place, or the whole of it and to answer under a number. */
export type DigestRequest = { path: string } & ({ upTo: number } | { whole: number });

export interface DigestAnswer {
  whole: number;
  digests?: { size: number; sha256: string; crc32: number; head: Uint8Array };
  wrong?: Error;
}

/** Every type that has a magic number shows it within these. */
const HEAD_BYTES = 64 * 1024;
/** Read in one go: files take turns by it. */
const SLICE = Buffer.allocUnsafeSlow(1024 * 1024);
/** Unfinished files that are remembered, at the most; one that is forgotten is read again. */
const REMEMBERED = 1000;

/** A file as far as it has been read. */
class Reading {
  readonly #sha256 = createHash("sha256");
  readonly #head: Buffer[] = [];
  #crc32 = 0;
  #at = 0;
  /** How far it is to be read. */
  upTo = 0;
  /** All who wait for the whole of it. */
  readonly askers: number[] = [];

  constructor(readonly path: string) {}

  /** Reads one slice; whether there is more to read. Throws where the file can not be read. */
  read(): boolean {
    const file = openSync(this.path, "r");
    try {
      if (this.askers.length > 0) this.upTo = fstatSync(file).size;
      const length = readSync(file, SLICE, 0, Math.max(0, Math.min(SLICE.length, this.upTo - this.#at)), this.#at);
      const bytes = SLICE.subarray(0, length);
      this.#sha256.update(bytes);
      this.#crc32 = crc32(bytes, this.#crc32);
      if (this.#at < HEAD_BYTES) this.#head.push(Buffer.from(bytes.subarray(0, HEAD_BYTES - this.#at)));
      this.#at += length;
      return length > 0 && this.#at < this.upTo;
    } finally {
      closeSync(file);
    }
  }

  digests(): NonNullable<DigestAnswer["digests"]> {
    return {
      size: this.#at,
      sha256: this.#sha256.digest("hex"),
      crc32: this.#crc32,
      head: Buffer.concat(this.#head),
    };
  }
}

const readings = new Map<string, Reading>();
const busy: Reading[] = [];

parentPort?.on("message", (asked: DigestRequest) => {
  const reading = readings.get(asked.path) ?? remember(new Reading(asked.path));
  if ("whole" in asked) reading.askers.push(asked.whole);
  else reading.upTo = asked.upTo;
  if (busy.includes(reading)) return;
  busy.push(reading);
  if (busy.length === 1) setImmediate(turn);
});

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

function answer(reading: Reading, found: Omit<DigestAnswer, "whole">): void {
  readings.delete(reading.path);
  for (const whole of reading.askers) parentPort?.postMessage({ whole, ...found } satisfies DigestAnswer);
}

function remember(reading: Reading): Reading {
  readings.set(reading.path, reading);
  const [oldest] = readings.keys();
  if (readings.size > REMEMBERED && oldest !== undefined) readings.delete(oldest);
  return reading;
}
