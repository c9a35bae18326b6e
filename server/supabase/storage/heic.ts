import { availableParallelism } from "node:os";
import { queue } from "./queue.ts";
import { startWorker } from "./start-worker.ts";

/** Upright pixels, four bytes (RGBA) each. */
export interface Pixels {
  width: number;
  height: number;
  data: Buffer;
}

/** A 48 megapixel picture takes a few seconds; what takes this long never ends. */
const PATIENCE_MS = 60_000;
/** A decoder's memory only ever grows to that of its largest picture, so it is let go of after this many. */
const PICTURES_EACH = 20;
/** One that nobody needs is let go of after this long, in milliseconds. */
const IDLE_MS = 30_000;

const line = queue(Math.max(1, Math.min(2, availableParallelism() - 1)));
const idle: Decoder[] = [];

/** Decodes a HEVC-coded picture, which sharp can not, in one of a few threads; rejects when it is broken. */
export function decodeHeic(bytes: Buffer): Promise<Pixels> {
  return line.run(async () => {
    const decoder = idle.pop() ?? new Decoder();
    const pixels = await decoder.decode(bytes);
    if (decoder.decoded < PICTURES_EACH) decoder.rest();
    else decoder.end();
    return pixels;
  });
}

type Answer = { width: number; height: number; data: ArrayBuffer } | { broken: string };

/** One thread with one libheif. A picture that breaks it, or that it can not read, ends it and nothing else. */
class Decoder {
  readonly #thread = startWorker("heic-worker", {
    // The decoder writes about every broken picture to the console; that it is broken is all there is to say.
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
    stdout: true,
    stderr: true,
  });
  #boredom: NodeJS.Timeout | undefined;
  #settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  decoded = 0;

  constructor() {
    this.#thread.on("message", (answer: Answer) => this.#settle?.resolve(answer));
    this.#thread.on("error", (error) => this.end(error));
    this.#thread.on("exit", () => this.end(new Error("The decoder ended without a picture")));
  }

  async decode(bytes: Buffer): Promise<Pixels> {
    clearTimeout(this.#boredom);
    this.#thread.ref();
    this.decoded += 1;
    const patience = setTimeout(() => this.end(new Error("Decoding took too long")), PATIENCE_MS);
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        this.#settle = { resolve, reject };
        // Copied: the thread gets memory of its own, whoever else holds these bytes.
        const own = new Uint8Array(bytes);
        this.#thread.postMessage(own, [own.buffer]);
      });
      if ("broken" in answer) throw new Error(answer.broken);
      return { width: answer.width, height: answer.height, data: Buffer.from(answer.data) };
    } catch (error) {
      this.end();
      throw error;
    } finally {
      clearTimeout(patience);
      this.#settle = undefined;
    }
  }

  /** Waits for the next picture, without keeping the process for it. */
  rest(): void {
    this.#thread.unref();
    idle.push(this);
    this.#boredom = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  /** Ends the thread, whatever it does; whoever waits for it hears `why`. */
  end(why = new Error("The decoder was ended")): void {
    clearTimeout(this.#boredom);
    const place = idle.indexOf(this);
    if (place !== -1) idle.splice(place, 1);
    this.#settle?.reject(why);
    void this.#thread.terminate();
  }
}
