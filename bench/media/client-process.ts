import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

/** One request of a run. */
export interface Call {
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** A file whose bytes are the body. */
  file?: string;
  /** A body of these words. */
  text?: string;
  /** A body of so many bytes, which begins with the file's. */
  bytes?: number;
}

/** Requests sent by so many clients, each of which sends its next once the last is answered. */
export interface Run {
  calls: Call[];
  clients: number;
}

export interface Outcome {
  ms: number;
  /** Bytes that came back. */
  bytes: number;
  /** Milliseconds of each request, from the fastest to the slowest. */
  latencies: number[];
  /** What went wrong first; undefined when nothing did. */
  wrong?: string;
}

const CHUNK = Buffer.alloc(256 * 1024, 1);
const files = new Map<string, Buffer>();
const bodyOf = (file: string) => {
  const known = files.get(file) ?? readFileSync(file);
  files.set(file, known);
  return known;
};

/** The same client for every contender, in a process of its own: each `Run` that comes is answered by an `Outcome`. */
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

/** Resolves to how many bytes were answered, all of them read. */
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
    let left = length - head.length;
    sending.write(head);
    const pour = () => {
      while (left > 0) {
        const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
        left -= chunk.length;
        if (!sending.write(chunk)) return void sending.once("drain", pour);
      }
      sending.end();
    };
    pour();
  });
}
