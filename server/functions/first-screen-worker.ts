import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { FirstScreen } from "../../shared/share.ts";

/** The module that the build makes of `web/first-screen.ts`. */
interface Reader {
  firstScreen(
    site: string,
    memoryId: string,
    send: typeof fetch,
    language?: "en" | "it",
  ): Promise<FirstScreen | undefined>;
}

/** The data of a thread that renders first screens. */
export interface ScreenThread {
  /** The path of the built module. */
  file: string;
}

/** Starts the first screen with this id. */
export interface ScreenJob {
  screen: number;
  site: string;
  memoryId: string;
  language: "en" | "it" | undefined;
}

/** A request of a first screen, for the main thread to answer. */
export interface ScreenRequest {
  screen: number;
  request: number;
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface ScreenAnswer {
  request: number;
  status: number;
  type: string;
  body: string;
}

/** The result as JSON text; undefined if the page has to load the data itself. */
export interface ScreenResult {
  screen: number;
  json: string | undefined;
}

const { file } = workerData as ScreenThread;
const { firstScreen } = createRequire(import.meta.url)(file) as Reader;
const requests = new Map<number, (answer: ScreenAnswer) => void>();
let lastRequest = 0;

/** A `fetch` whose requests the main thread answers. */
const sendFor =
  (screen: number): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve) => {
      const { pathname, search } = new URL(String(input));
      const request = ++lastRequest;
      requests.set(request, ({ status, type, body }) =>
        resolve(new Response(body, { status, headers: { "content-type": type } })),
      );
      parentPort?.postMessage({
        screen,
        request,
        method: init.method ?? "GET",
        url: pathname + search,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: init.body ? String(init.body) : undefined,
      } satisfies ScreenRequest);
    });

async function render({ screen, site, memoryId, language }: ScreenJob): Promise<void> {
  // After a failure the page loads the data itself, and shows the error.
  const result = await firstScreen(site, memoryId, sendFor(screen), language).catch(() => undefined);
  parentPort?.postMessage({ screen, json: result && JSON.stringify(result) } satisfies ScreenResult);
}

parentPort?.on("message", (message: ScreenJob | ScreenAnswer) => {
  if ("screen" in message) return void render(message);
  requests.get(message.request)?.(message);
  requests.delete(message.request);
});
