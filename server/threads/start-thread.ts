import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts the thread whose file is `{name}.ts`, beside the file of the URL `beside`. The build puts each
 * beside the server's one file; from source, a thread must first learn to read TypeScript.
 */
export function startThread(name: string, beside: string, options: WorkerOptions = {}): Worker {
  if (!beside.endsWith(".ts")) return new Worker(new URL(`./${name}.js`, beside), options);
  const source = JSON.stringify(new URL(`./${name}.ts`, beside).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(start, { ...options, eval: true });
}
