import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { queue } from "../../threads/queue.ts";
import { startThread } from "../../threads/start-thread.ts";
import type { HdrColours } from "./hdr.ts";

/** What a worker is sent. */
export interface DecoderRequest {
  bytes: Uint8Array;
  /** The media type, for a worker that decodes several. */
  format?: string;
  /** The colour profile of the picture. */
  profile?: Uint8Array | undefined;
  /** The colours of a picture in HDR, whose profile is then created by the worker. */
  hdr?: HdrColours | undefined;
  /** How often the sides are halved, of a format that allows it. */
  halvings?: number;
  /** The page of a paper, from 1 on. */
  page?: number;
  /** Whether only the size and the number of pages are wanted; the picture is then empty. */
  measures?: boolean;
}

export type DecoderReply =
  | { width: number; height: number; tiff: ArrayBuffer; pages?: number | undefined }
  | { error: string };

/** Pixels as an uncompressed TIFF with the colour profile, turned as the file itself says. */
export interface DecodedPicture {
  width: number;
  height: number;
  tiff: Buffer;
  /** The number of pages of a paper. */
  pages?: number | undefined;
}

/** The default timeout for one picture; a picture of 48 megapixels takes a few seconds. */
const TIMEOUT_MS = 60_000;
/** A thread ends after this many pictures, or after one with more pixels: WebAssembly memory never shrinks. */
const PICTURES_EACH = 20;
const KEPT_PIXELS = 26_000_000;
const IDLE_MS = 30_000;

/** Decodes pictures; rejects if one is damaged, too large, or takes too long. */
export type DecodePicture = (bytes: Buffer, options?: Omit<DecoderRequest, "bytes">) => Promise<DecodedPicture>;

interface DecoderLimits {
  timeoutMs?: number;
  /** The number of threads. */
  atOnce?: number;
}

/** Decodes in threads of the worker `{name}.ts`, which start with the first picture and end when idle. */
export function decoderThreads(
  name: string,
  { timeoutMs = TIMEOUT_MS, atOnce = Math.max(1, Math.min(2, availableParallelism() - 1)) }: DecoderLimits = {},
): DecodePicture {
  const line = queue(atOnce);
  const idle: Decoder[] = [];
  return (bytes, options = {}) =>
    line.run(async () => {
      const decoder = idle.pop() ?? new Decoder(name, idle);
      const picture = await decoder.decode(bytes, options, timeoutMs);
      if (decoder.decoded < PICTURES_EACH && picture.width * picture.height <= KEPT_PIXELS) decoder.rest();
      else decoder.end();
      return picture;
    });
}

/** A worker thread with decoders in WebAssembly. A damaged picture, the timeout or its limits end it. */
class Decoder {
  readonly #thread: Worker;
  readonly #idle: Decoder[];
  #idleTimer: NodeJS.Timeout | undefined;
  #settle: { resolve(reply: DecoderReply): void; reject(error: Error): void } | undefined;
  decoded = 0;

  constructor(name: string, idle: Decoder[]) {
    this.#idle = idle;
    this.#thread = startThread(name, import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // Decoders log every damaged picture to the console.
      stdout: true,
      stderr: true,
    });
    this.#thread.on("message", (reply: DecoderReply) => this.#settle?.resolve(reply));
    this.#thread.on("error", (error) => this.end(error));
    this.#thread.on("exit", () => this.end(new Error("The decoder ended without a picture")));
  }

  async decode(bytes: Buffer, options: Omit<DecoderRequest, "bytes">, timeoutMs: number): Promise<DecodedPicture> {
    clearTimeout(this.#idleTimer);
    this.#thread.ref();
    this.decoded += 1;
    const timeout = setTimeout(() => this.end(new Error("Decoding took too long")), timeoutMs);
    try {
      const reply = await new Promise<DecoderReply>((resolve, reject) => {
        this.#settle = { resolve, reject };
        // Copied, because the memory is transferred to the thread.
        const own = new Uint8Array(bytes);
        const request: DecoderRequest = { ...options, bytes: own };
        this.#thread.postMessage(request, [own.buffer]);
      });
      if ("error" in reply) throw new Error(reply.error);
      return { ...reply, tiff: Buffer.from(reply.tiff) };
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearTimeout(timeout);
      this.#settle = undefined;
    }
  }

  /** Waits for the next picture without keeping the process alive. */
  rest(): void {
    this.#thread.unref();
    this.#idle.push(this);
    this.#idleTimer = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  /** Ends the thread; a decoding in progress is rejected with `reason`. */
  end(reason = new Error("The decoder was ended")): void {
    clearTimeout(this.#idleTimer);
    const index = this.#idle.indexOf(this);
    if (index !== -1) this.#idle.splice(index, 1);
    this.#settle?.reject(reason);
    void this.#thread.terminate();
  }
}
