import type { Worker } from "node:worker_threads";
import { startThread } from "../threads/start-thread.ts";
import type { RenderAnswer, Rendering, RenderJob, RenderRequest, RenderResult } from "./render-worker.ts";

/** Answers a request of a rendering. */
export type AnswerRequest = (request: RenderRequest) => Promise<Omit<RenderAnswer, "request">>;

export interface Renderer {
  /** Resolves to the result as JSON text; undefined if there is none. Rejects if the rendering fails. */
  render(rendering: Rendering, answer: AnswerRequest): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Running {
  answer: AnswerRequest;
  resolve(json: string | undefined): void;
  reject(error: Error): void;
}

/**
 * Renders public pages and first screens on a thread of its own, which starts at first use: loading the web app's
 * modules, parsing the rows and rendering take longer than answering the requests. The modules stay loaded.
 */
export function openRenderThread(): Renderer {
  const running = new Map<number, Running>();
  let worker: Worker | undefined;
  let last = 0;

  const take = (job: number) => {
    const runningJob = running.get(job);
    running.delete(job);
    if (running.size === 0) worker?.unref();
    return runningJob;
  };

  function start(): Worker {
    const started = startThread("render-worker", import.meta.url);
    started.on("message", (message: RenderRequest | RenderResult) => {
      if (!("request" in message)) {
        const { job, json, failed } = message;
        if (failed) take(job)?.reject(failed);
        else take(job)?.resolve(json);
        return;
      }
      const { request, job } = message;
      running
        .get(job)
        ?.answer(message)
        .then(
          (answer) => started.postMessage({ request, ...answer } satisfies RenderAnswer),
          (error: Error) => take(job)?.reject(error),
        );
    });
    const stop = () => {
      if (worker !== started) return;
      worker = undefined;
      rejectAll();
    };
    started.on("error", stop);
    started.on("exit", stop);
    return started;
  }

  function rejectAll() {
    for (const job of running.keys()) take(job)?.reject(new Error("The thread that renders pages ended"));
  }

  return {
    render: (rendering, answer) =>
      new Promise((resolve, reject) => {
        last += 1;
        running.set(last, { answer, resolve, reject });
        worker ??= start();
        worker.ref();
        worker.postMessage({ job: last, rendering } satisfies RenderJob);
      }),
    async close() {
      const ending = worker;
      worker = undefined;
      rejectAll();
      await ending?.terminate();
    },
  };
}
