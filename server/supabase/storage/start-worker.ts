import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts the thread whose file here is `{name}.ts`. The build puts each beside the server's one file; from source, a
 * thread must first learn to read TypeScript.
 */
export function startWorker(name: string, options: WorkerOptions = {}): Worker {
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL(`./${name}.js`, import.meta.url), options);
  const source = JSON.stringify(new URL(`./${name}.ts`, import.meta.url).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(start, { ...options, eval: true });
}
