import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** What a reader process is told by its argument, as JSON. */
export interface Reading {
  /** What is read, and with which headers. */
  url: string;
  headers: Record<string, string>;
  /** The one right answer. */
  answer: string;
  /** The address that it is read from. */
  from: string;
}

/** Milliseconds between the beginnings of two reads. */
const PERIOD = 20;

/**
 * Reads something trivial every 20 ms, in a process of its own so that nothing else of the test delays it. Each message
 * that comes is answered with the slowest read since the one before, and with what was wrong.
 */
const { url, headers, answer, from } = JSON.parse(process.argv[2] ?? "") as Reading;
const agent = new Agent({ keepAlive: true, localAddress: from });
let slowest = 0;
let reads = 0;
const wrong: string[] = [];

function read(): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, headers }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      reply.on("end", () => resolve(`${reply.statusCode} ${text}`));
      reply.on("error", reject);
    });
    sending.on("error", reject);
    sending.end();
  });
}

process.on("message", () => {
  process.send?.({ slowest, reads, wrong: wrong.splice(0) });
  slowest = 0;
  reads = 0;
});

for (;;) {
  const began = performance.now();
  const got = await read().catch((error: Error) => error.message);
  const took = performance.now() - began;
  slowest = Math.max(slowest, took);
  reads += 1;
  if (got !== `200 ${answer}`) wrong.push(got);
  await delay(Math.max(0, PERIOD - took));
}
