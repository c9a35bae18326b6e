import { setImmediate } from "node:timers/promises";
import WebSocket from "ws";

/** Messages that a hostile client sends over a realtime socket, in version 2.0.0 of the protocol. */

const join = (index: number, bindings: object[]): string =>
  JSON.stringify([
    `${index}`,
    `${index}`,
    `realtime:hostile-${index}`,
    "phx_join",
    { config: { postgres_changes: bindings } },
  ]);

const messages = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Joins, each of which names a table that does not exist. */
export const joinsForUnknownTables = (count: number): string[] =>
  messages(count, (index) => join(index, [{ event: "*", schema: "public", table: `unknown_${index}` }]));

/** Joins, each with as many bindings and as long filters as a message holds. */
export const joinsWithManyFilters = (count: number): string[] =>
  messages(count, (index) =>
    join(
      index,
      Array.from({ length: 50 }, (_, binding) => ({
        event: "*",
        schema: "public",
        table: "memories",
        filter: `birth_date=in.(${Array.from({ length: 60 }, (_, day) => `${1900 + binding}-01-${(day % 28) + 1}`).join(",")})`,
      })),
    ),
  );

/** Joins, each with a token that nobody signed. */
export const joinsWithForgedTokens = (count: number): string[] =>
  messages(count, (index) =>
    JSON.stringify([`${index}`, `${index}`, `realtime:${index}`, "phx_join", { access_token: `a.b.${index}` }]),
  );

/** Heartbeats without a pause. */
export const heartbeats = (count: number): string[] =>
  messages(count, (index) => JSON.stringify([null, `${index}`, "phoenix", "heartbeat", {}]));

interface Outcome {
  replies: { status: string; response: { reason?: string } }[];
  /** Undefined where the server replied to all. */
  code: number | undefined;
}

/**
 * Opens one socket, sends all messages without waiting for replies, and resolves when the server has replied to each or has closed the
 * socket: to the replies and the code of the close.
 */
export async function sendHostile(
  server: { url: string; keys: { publishable: string } },
  sent: string[],
): Promise<Outcome> {
  const url = `${server.url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0&apikey=${server.keys.publishable}`;
  const ws = new WebSocket(url);
  const replies: Outcome["replies"] = [];
  await new Promise<void>((resolve, reject) => {
    ws.once("open", resolve);
    ws.once("error", reject);
  });
  const answered = new Promise<Outcome>((resolve) => {
    // A server that ends the connection while the client still writes resets it.
    ws.on("error", () => {});
    ws.on("close", (code) => resolve({ replies, code }));
    ws.on("message", (data: Buffer) => {
      const [, , , event, payload] = JSON.parse(data.toString());
      if (event !== "phx_reply") return;
      replies.push(payload);
      if (replies.length < sent.length) return;
      ws.removeAllListeners("close");
      ws.close();
      resolve({ replies, code: undefined });
    });
  });
  for (const message of sent) {
    if (ws.readyState !== WebSocket.OPEN) break;
    ws.send(message);
    // The server of a test shares its process with the client: writing must not be what delays it.
    await setImmediate();
  }
  return answered;
}
