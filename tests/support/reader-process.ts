import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** The argument of a reader process, as JSON. */
export interface Reading {
  /** The URL and headers of the read. */
  url: string;
  headers: Record<string, string>;
  /** The only correct response. */
  answer: string;
  /** The local address of the client. */
  from: string;
}

/** The interval of reads in milliseconds. */
const PERIOD = 20;

/**
 * Reads a small response every 20 ms, in a separate process so that the test does not affect it. Answers each message
 * with the slowest read since the previous message, and with the first error.
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
