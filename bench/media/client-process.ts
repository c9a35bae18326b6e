import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

/** One request of a run. */
export interface Call {
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** The path of a file to send. */
  file?: string;
  /** Text to send. */
  text?: string;
  /** The length of the body in bytes; it begins with the file's bytes. */
  bytes?: number;
}

/** A run of requests by parallel clients; each sends its next request after a response. */
export interface Run {
  calls: Call[];
  clients: number;
}

export interface Outcome {
  ms: number;
  /** Received bytes. */
  bytes: number;
  /** The duration of each request in milliseconds, sorted. */
  latencies: number[];
  /** The first error, if any. */
  wrong?: string;
}

const CHUNK = Buffer.alloc(256 * 1024, 1);
const files = new Map<string, Buffer>();
const bodyOf = (file: string) => {
  const content = files.get(file) ?? readFileSync(file);
  files.set(file, content);
  return content;
};

/** The client for all contenders, in a separate process: it answers each `Run` with an `Outcome`. */
process.on("message", async ({ calls, clients }: Run) => {
  for (const { file } of calls) if (file) bodyOf(file);
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const waiting = [...calls];
  const outcome: Outcome = { ms: 0, bytes: 0, latencies: [] };
  const start = performance.now();
  const client = async () => {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      const began = performance.now();
      await send(call, agent).then(
        (bytes) => {
          outcome.bytes += bytes;
          outcome.latencies.push(performance.now() - began);
        },
        (error: Error) => {
          outcome.wrong ??= error.message;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  outcome.ms = performance.now() - start;
  outcome.latencies.sort((a, b) => a - b);
  agent.destroy();
  process.send?.(outcome);
});

/** Sends a request; resolves to the number of bytes in the response. */
function send({ method, url, headers, file, text, bytes }: Call, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const head = file ? bodyOf(file) : Buffer.from(text ?? "");
    const length = bytes ?? head.length;
    const sending = request(url, {
      method,
      agent,
      headers: { ...headers, ...(length > 0 ? { "content-length": length } : {}) },
    });
    sending.once("error", reject);
    sending.once("response", (reply) => {
      let got = 0;
      const first: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => {
        got += chunk.length;
        if ((reply.statusCode ?? 500) >= 300) first.push(chunk);
      });
      reply.once("error", reject);
      reply.once("end", () => {
        if ((reply.statusCode ?? 500) < 300) resolve(got);
        else
          reject(new Error(`${method} ${url}: ${reply.statusCode} ${Buffer.concat(first).toString().slice(0, 200)}`));
      });
    });
    if (bytes === undefined) return sending.end(head);
    let remaining = length - head.length;
    sending.write(head);
    const pour = () => {
      while (remaining > 0) {
        const chunk = remaining < CHUNK.length ? CHUNK.subarray(0, remaining) : CHUNK;
        remaining -= chunk.length;
        if (!sending.write(chunk)) return void sending.once("drain", pour);
      }
      sending.end();
    };
    pour();
  });
}
