import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts the worker thread of the file `{name}.ts`, in the folder of the file with the URL `beside`. The build puts a
 * JavaScript file for each thread beside the server's single file. From source, a thread first registers the loader for
 * TypeScript.
 */
export function startThread(name: string, beside: string, options: WorkerOptions = {}): Worker {
  if (!beside.endsWith(".ts")) return new Worker(new URL(`./${name}.js`, beside), options);
  const source = JSON.stringify(new URL(`./${name}.ts`, beside).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(start, { ...options, eval: true });
}
