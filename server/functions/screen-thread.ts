import type { Worker } from "node:worker_threads";
import { startThread } from "../threads/start-thread.ts";
import type { ScreenAnswer, ScreenJob, ScreenRequest, ScreenResult, ScreenThread } from "./first-screen-worker.ts";

/** Answers a request of a first screen. */
export type AnswerRequest = (request: ScreenRequest) => Promise<Omit<ScreenAnswer, "request">>;

export interface ScreenRenderer {
  /** Resolves to the first screen as JSON text; undefined if the page has to load the data itself. */
  render(job: Omit<ScreenJob, "screen">, answer: AnswerRequest): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Running {
  answer: AnswerRequest;
  resolve(json: string | undefined): void;
}

/**
 * Renders first screens on a thread of its own, which starts at first use: parsing the rows and rendering take longer
 * than answering the requests. The module `file` stays loaded, so later screens need no start.
 */
export function openScreenThread(file: string): ScreenRenderer {
  const running = new Map<number, Running>();
  let worker: Worker | undefined;
  let last = 0;

  const end = (screen: number, json: string | undefined) => {
    running.get(screen)?.resolve(json);
    running.delete(screen);
    if (running.size === 0) worker?.unref();
  };

  function start(): Worker {
    const started = startThread("first-screen-worker", import.meta.url, {
      workerData: { file } satisfies ScreenThread,
    });
    started.on("message", (message: ScreenRequest | ScreenResult) => {
      if (!("request" in message)) return end(message.screen, message.json);
      const { request, screen } = message;
      running
        .get(screen)
        ?.answer(message)
        .then(
          (answer) => started.postMessage({ request, ...answer } satisfies ScreenAnswer),
          () => end(screen, undefined),
        );
    });
    const stop = () => {
      if (worker !== started) return;
      worker = undefined;
      for (const screen of running.keys()) end(screen, undefined);
    };
    started.on("error", stop);
    started.on("exit", stop);
    return started;
  }

  return {
    render: (job, answer) =>
      new Promise((resolve) => {
        last += 1;
        running.set(last, { answer, resolve });
        worker ??= start();
        worker.ref();
        worker.postMessage({ screen: last, ...job } satisfies ScreenJob);
      }),
    async close() {
      const ending = worker;
      worker = undefined;
      for (const screen of running.keys()) end(screen, undefined);
      await ending?.terminate();
    },
  };
}
