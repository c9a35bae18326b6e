import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import type { FirstScreen } from "../../shared/share.ts";
import { cleanHtml } from "../html/html.ts";

/** The modules that the build makes of `web/first-screen.ts` and `web/prerender.tsx`. */
interface Renderers {
  firstScreen(
    site: string,
    memoryId: string,
    send: typeof fetch,
    language?: "en" | "it",
  ): Promise<FirstScreen | undefined>;
  renderPage(
    path: string,
    language: "en" | "it",
    config: object,
    read: typeof fetch,
  ): Promise<{ html: string; data: string }>;
}

/** What to render, by the built module at the path `file`. */
export type Rendering = { file: string } & (
  | { kind: "screen"; site: string; memoryId: string; language: "en" | "it" | undefined }
  | { kind: "page"; site: string; path: string; language: "en" | "it"; config: object }
);

export interface RenderJob {
  job: number;
  rendering: Rendering;
}

/** A request of a job, for the main thread to answer. */
export interface RenderRequest {
  job: number;
  request: number;
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface RenderAnswer {
  request: number;
  status: number;
  type: string;
  body: string;
}

/** The result as JSON text; undefined if the module has none or failed. */
export interface RenderResult {
  job: number;
  json?: string;
  failed?: Error;
}

const load = createRequire(import.meta.url) as unknown as (file: string) => Renderers;
const requests = new Map<number, (answer: RenderAnswer) => void>();
let lastRequest = 0;

/** A `fetch` whose requests the main thread answers. */
const sendFor =
  (job: number, site: string): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve) => {
      const { pathname, search } = new URL(String(input), site);
      const request = ++lastRequest;
      requests.set(request, ({ status, type, body }) =>
        resolve(new Response(body, { status, headers: { "content-type": type } })),
      );
      parentPort?.postMessage({
        job,
        request,
        method: init.method ?? "GET",
        url: pathname + search,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: init.body ? String(init.body) : undefined,
      } satisfies RenderRequest);
    });

/** Reads public rows. Their HTML is sanitised again: what bypassed the first sanitising would reach every visitor. */
const readCleaned =
  (send: typeof fetch): typeof fetch =>
  async (input) => {
    const answer = await send(input);
    const rows = answer.ok && ((await answer.json()) as { body?: string }[]).map(cleaned);
    return Response.json(rows || {}, { status: answer.status });
  };

const cleaned = <Row extends { body?: string }>(row: Row): Row =>
  row.body === undefined ? row : { ...row, body: cleanHtml(row.body) };

function render(job: number, rendering: Rendering): Promise<unknown> {
  const module = load(rendering.file);
  const send = sendFor(job, rendering.site);
  return rendering.kind === "screen"
    ? module.firstScreen(rendering.site, rendering.memoryId, send, rendering.language)
    : module.renderPage(rendering.path, rendering.language, rendering.config, readCleaned(send));
}

parentPort?.on("message", async (message: RenderJob | RenderAnswer) => {
  if ("request" in message) {
    requests.get(message.request)?.(message);
    requests.delete(message.request);
    return;
  }
  const { job, rendering } = message;
  const end = (result: Omit<RenderResult, "job">) => parentPort?.postMessage({ job, ...result } satisfies RenderResult);
  try {
    const result = await render(job, rendering);
    end(result === undefined ? {} : { json: JSON.stringify(result) });
  } catch (error) {
    end({ failed: error instanceof Error ? error : new Error(String(error)) });
  }
});
