import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** What became of a download. */
export interface Outcome {
  status: number;
  /** Bytes that `content-length` promised, and bytes that came. */
  promised: number;
  received: number;
  /** Whether the transfer broke off before its end. */
  brokeOff: boolean;
}

/** Bytes that the client reads in a second: far fewer than the server could send, so that it has to wait. */
const PACE = 2 * 1024 * 1024;

/** A download by a client that reads slowly. */
export interface SlowDownload {
  /** Resolves once the first bytes are here. */
  begun: Promise<void>;
  outcome: Promise<Outcome>;
}

export function downloadSlowly(url: string, headers: Record<string, string> = {}): SlowDownload {
  const request = get(url, { headers, agent: false });
  // The response tells of the same break.
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
