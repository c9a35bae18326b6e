import { Worker } from "node:worker_threads";

/** Upright pixels, four bytes (RGBA) each. */
export interface Pixels {
  width: number;
  height: number;
  data: Buffer;
}

/** A 48 megapixel picture takes a few seconds; what takes this long never ends. */
const PATIENCE_MS = 60_000;

/** The build puts the worker beside the server's one file; from source, a thread must first learn to read TypeScript. */
function startWorker(workerData: Buffer): Worker {
  // The decoder writes about every broken picture to the console; that it is broken is all there is to say.
  const options = { workerData, resourceLimits: { maxOldGenerationSizeMb: 1024 }, stdout: true, stderr: true };
  if (!import.meta.url.endsWith(".ts")) {
    return new Worker(new URL("./heic-worker.js", import.meta.url), options);
  }
  const source = JSON.stringify(new URL("./heic-worker.ts", import.meta.url).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(start, { ...options, eval: true });
}

/** Decodes a HEVC-coded picture, which sharp can not, in a thread of its own; rejects when it is broken. */
export function decodeHeic(bytes: Buffer): Promise<Pixels> {
  return new Promise<Pixels>((resolve, reject) => {
    const thread = startWorker(bytes);
    const patience = setTimeout(() => reject(new Error("Decoding took too long")), PATIENCE_MS);
    const finish = () => {
      clearTimeout(patience);
      void thread.terminate();
    };
    thread.once("message", ({ width, height, data }: { width: number; height: number; data: ArrayBuffer }) => {
      resolve({ width, height, data: Buffer.from(data) });
      finish();
    });
    thread.once("error", (error) => {
      reject(error);
      finish();
    });
    thread.once("exit", () => {
      reject(new Error("The decoder ended without a picture"));
      finish();
    });
  });
}
