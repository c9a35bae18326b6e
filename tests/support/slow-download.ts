import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** The result of a download. */
export interface Outcome {
  status: number;
  /** The bytes announced by `content-length`, and the received bytes. */
  promised: number;
  received: number;
  /** Whether the connection broke before the end. */
  brokeOff: boolean;
}

/** The client's bytes per second, slower than the server, so that the server has to wait. */
const PACE = 2 * 1024 * 1024;

/** A download by a client that reads slowly. */
export interface SlowDownload {
  /** Resolves when the first bytes have arrived. */
  begun: Promise<void>;
  outcome: Promise<Outcome>;
}

export function downloadSlowly(url: string, headers: Record<string, string> = {}): SlowDownload {
  const request = get(url, { headers, agent: false });
  // The response reports the same error.
  request.on("error", () => {});
  const response = once(request, "response").then(([message]) => message as IncomingMessage);
  const begun = response.then(async (message) => {
    await once(message, "readable");
  });
  const result: Outcome = { status: 0, promised: 0, received: 0, brokeOff: false };
  const outcome = Promise.all([response, begun]).then(async ([message]) => {
    result.status = message.statusCode ?? 0;
    result.promised = Number(message.headers["content-length"]);
    try {
      for await (const chunk of message.iterator({ destroyOnReturn: true })) {
        result.received += (chunk as Buffer).length;
        await pause((1000 * (chunk as Buffer).length) / PACE);
      }
    } catch {
      result.brokeOff = true;
    }
    return result;
  });
  return { begun, outcome };
}

/** Downloads a URL in several parts over connections that break; each part resumes the previous one. */
export async function fetchInParts(url: URL, parts: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [received, size] = [0, Number.POSITIVE_INFINITY];
  for (let part = 1; part <= parts; part++) {
    const request = get(url, { headers: received > 0 ? { range: `bytes=${received}-` } : {}, agent: false });
    const [message] = (await once(request, "response")) as [IncomingMessage];
    if (message.statusCode !== (received > 0 ? 206 : 200))
      throw new Error(`Part ${part} answers ${message.statusCode}`);
    if (received === 0) size = Number(message.headers["content-length"]);
    for await (const chunk of message) {
      chunks.push(chunk as Buffer);
      received += (chunk as Buffer).length;
      // Leaving the loop closes the connection.
      if (part < parts && received >= (size * part) / parts) break;
    }
  }
  return Buffer.concat(chunks);
}
