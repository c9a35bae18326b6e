import type { Worker } from "node:worker_threads";
import { queue } from "../../threads/queue.ts";
import { startThread } from "../../threads/start-thread.ts";
import type { CopiedStreams } from "./copy-streams.ts";
import type { VideoFacts } from "./open-video.ts";
import { UnreadableVideoError } from "./video-error.ts";
import type { VideoReply, VideoTask } from "./video-worker.ts";

/** A thread without progress for this long is ended, because its video's tables mislead the library. */
const STALL_MS = 30_000;
/** Enough for the tables of a video of many hours; a thread that needs more is ended. */
const HEAP_MB = 512;
/** A small young generation, so that written packets are collected early. */
const YOUNG_MB = 16;
/** A thread without work is ended after this long, in milliseconds. */
const IDLE_MS = 30_000;
/** Videos up to this size do not wait for larger ones. */
const SMALL_BYTES = 200 * 1024 * 1024;

const lines = { small: queue(2), large: queue(1) };
const idle: VideoThread[] = [];

/** Reads the container of the video in a local file; rejects with `UnreadableVideoError`. */
export const readVideoFacts = async (path: string, type: string): Promise<Partial<VideoFacts>> => {
  const reply = await lines.small.run(() => inThread({ path, facts: { type } }), { urgent: true });
  if ("facts" in reply) return reply.facts;
  throw new UnreadableVideoError("its facts cannot be read");
};

/** `copyStreams` in a worker thread. `urgent` if a person waits for it. */
export async function copyVideoStreams(
  { path, size, copyTo }: { path: string; size: number; copyTo: string },
  urgent: boolean,
): Promise<CopiedStreams> {
  const line = size <= SMALL_BYTES ? lines.small : lines.large;
  const reply = await line.run(() => inThread({ path, copyTo }), { urgent });
  if ("copied" in reply) return reply.copied;
  throw new UnreadableVideoError("its streams cannot be copied");
}

async function inThread(task: VideoTask): Promise<VideoReply> {
  const thread = idle.pop() ?? new VideoThread();
  const reply = await thread.run(task);
  thread.rest();
  if (!("failed" in reply)) return reply;
  if (reply.code) throw Object.assign(new Error(reply.failed), { code: reply.code });
  throw new UnreadableVideoError(reply.failed);
}

/** One thread. A video that crashes it or exceeds its limits ends only this thread. */
class VideoThread {
  readonly #worker: Worker = startThread("video-worker", import.meta.url, {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  #settle: { resolve(reply: VideoReply): void; reject(error: Error): void } | undefined;
  #stall: NodeJS.Timeout | undefined;
  #boredom: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.on("message", (reply: VideoReply) => {
      this.#stall?.refresh();
      if (!("working" in reply)) this.#settle?.resolve(reply);
    });
    this.#worker.on("error", (cause) => this.#end(new UnreadableVideoError("its tables are too large", { cause })));
    this.#worker.on("exit", () => this.#end(new UnreadableVideoError("its tables are too large")));
  }

  async run(task: VideoTask): Promise<VideoReply> {
    clearTimeout(this.#boredom);
    this.#worker.ref();
    this.#stall = setTimeout(() => this.#end(new UnreadableVideoError("its tables lead nowhere")), STALL_MS);
    try {
      return await new Promise<VideoReply>((resolve, reject) => {
        this.#settle = { resolve, reject };
        this.#worker.postMessage(task);
      });
    } finally {
      clearTimeout(this.#stall);
      this.#settle = undefined;
    }
  }

  /** Waits for the next video without keeping the process alive. */
  rest(): void {
    this.#worker.unref();
    idle.push(this);
    this.#boredom = setTimeout(() => this.#end(new Error("The thread was idle")), IDLE_MS).unref();
  }

  #end(reason: Error): void {
    clearTimeout(this.#boredom);
    const index = idle.indexOf(this);
    if (index !== -1) idle.splice(index, 1);
    this.#settle?.reject(reason);
    void this.#worker.terminate();
  }
}
