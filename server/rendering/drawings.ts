import { Piscina } from "piscina";
import { RequestError } from "../../shared/request-error.ts";
import type { DrawingJob, Drawings, RefusedDrawing } from "./drawing-worker.ts";

/** Milliseconds after which an idle thread ends. */
const IDLE_MS = 60_000;

type Drawn<Name extends keyof Drawings> = Awaited<ReturnType<Drawings[Name]>>;

let thread: Piscina<DrawingJob, { drawn: unknown } | RefusedDrawing> | undefined;

/**
 * Draws a PDF file or a pack of them on a thread, which starts at first use: embedding fonts takes tenths of a second,
 * in which the main thread would answer nobody. Rejects with the drawing's own `RequestError`.
 */
export async function draw<Name extends keyof Drawings>(
  name: Name,
  ...args: Parameters<Drawings[Name]>
): Promise<Drawn<Name>> {
  const isSource = import.meta.url.endsWith(".ts");
  thread ??= new Piscina({
    filename: new URL(`./drawing-worker.${isSource ? "ts" : "js"}`, import.meta.url).href,
    execArgv: isSource ? ["--import", "tsx"] : [],
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
  const result = await thread.run({ name, args } as DrawingJob);
  if ("refused" in result) {
    const { code, status, message } = result.refused;
    throw new RequestError(code, { status, message });
  }
  return result.drawn as Drawn<Name>;
}
