import { availableParallelism } from "node:os";
import { queue } from "../../threads/queue.ts";
import { startThread } from "../../threads/start-thread.ts";
import type { HeicReply, HeicRequest } from "./heic-worker.ts";

/**
 * Pixels in 8-bit RGB, with alpha if the picture has it, and the colour profile, as an uncompressed TIFF. They are turned
 * as the file itself says.
 */
export interface DecodedHeic {
  width: number;
  height: number;
  tiff: Buffer;
}

/** The timeout for one picture; a picture of 48 megapixels takes a few seconds. */
const TIMEOUT_MS = 60_000;
/** A thread ends after this many pictures, or after one with more pixels: WebAssembly memory never shrinks. */
const PICTURES_EACH = 20;
const KEPT_PIXELS = 26_000_000;
const IDLE_MS = 30_000;

const line = queue(Math.max(1, Math.min(2, availableParallelism() - 1)));
const idle: Decoder[] = [];

/** Decodes an HEVC picture, which sharp cannot, in a worker thread; rejects if the picture is damaged. */
export function decodeHeic(bytes: Buffer, profile?: Buffer): Promise<DecodedHeic> {
  return line.run(async () => {
    const decoder = idle.pop() ?? new Decoder();
    const picture = await decoder.decode(bytes, profile);
    if (decoder.decoded < PICTURES_EACH && picture.width * picture.height <= KEPT_PIXELS) decoder.rest();
    else decoder.end();
    return picture;
  });
}

/** A worker thread with libheif. A damaged picture, the timeout or its limits end it. */
class Decoder {
  readonly #thread = startThread("heic-worker", import.meta.url, {
    // libheif logs every damaged picture to the console.
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    stdout: true,
    stderr: true,
  });
  #idleTimer: NodeJS.Timeout | undefined;
  #settle: { resolve(reply: HeicReply): void; reject(error: Error): void } | undefined;
  decoded = 0;

  constructor() {
    this.#thread.on("message", (reply: HeicReply) => this.#settle?.resolve(reply));
    this.#thread.on("error", (error) => this.end(error));
    this.#thread.on("exit", () => this.end(new Error("The decoder ended without a picture")));
  }

  async decode(bytes: Buffer, profile: Buffer | undefined): Promise<DecodedHeic> {
    clearTimeout(this.#idleTimer);
    this.#thread.ref();
    this.decoded += 1;
    const timeout = setTimeout(() => this.end(new Error("Decoding took too long")), TIMEOUT_MS);
    try {
      const reply = await new Promise<HeicReply>((resolve, reject) => {
        this.#settle = { resolve, reject };
        // Copied, because the memory is transferred to the thread.
        const own = new Uint8Array(bytes);
        const request: HeicRequest = { bytes: own, profile: profile && new Uint8Array(profile) };
        this.#thread.postMessage(request, [own.buffer]);
      });
      if ("error" in reply) throw new Error(reply.error);
      return { width: reply.width, height: reply.height, tiff: Buffer.from(reply.tiff) };
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
    idle.push(this);
    this.#idleTimer = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  /** Ends the thread; a decoding in progress is rejected with `reason`. */
  end(reason = new Error("The decoder was ended")): void {
    clearTimeout(this.#idleTimer);
    const index = idle.indexOf(this);
    if (index !== -1) idle.splice(index, 1);
    this.#settle?.reject(reason);
    void this.#thread.terminate();
  }
}
