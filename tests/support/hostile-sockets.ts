import { setImmediate } from "node:timers/promises";
import WebSocket from "ws";

/** Hostile realtime messages, in version 2.0.0 of the protocol. */

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

/** Joins for tables that do not exist. */
export const joinsForUnknownTables = (count: number): string[] =>
  messages(count, (index) => join(index, [{ event: "*", schema: "public", table: `unknown_${index}` }]));

/** Joins with the maximum number and length of filters, which ask for earlier changes. */
export const joinsWithManyFilters = (count: number): string[] =>
  messages(count, (index) =>
    join(
      index,
      Array.from({ length: 50 }, (_, binding) => ({
        event: "*",
        schema: "public",
        table: "memories",
        within_ms: 60_000,
        filter: `birth_date=in.(${Array.from({ length: 60 }, (_, day) => `${1900 + binding}-01-${(day % 19) + 10}`).join(",")})`,
      })),
    ),
  );

export const joinsWithForgedTokens = (count: number): string[] =>
  messages(count, (index) =>
    JSON.stringify([
      `${index}`,
      `${index}`,
      `realtime:${index}`,
      "phx_join",
      {
        access_token: `a.b.${index}`,
        config: { postgres_changes: [{ event: "*", schema: "public", table: "memories" }] },
      },
    ]),
  );

/** Heartbeats without pauses. */
export const heartbeats = (count: number): string[] =>
  messages(count, (index) => JSON.stringify([null, `${index}`, "phoenix", "heartbeat", {}]));

interface Outcome {
  replies: { status: string; response: { reason?: string } }[];
  /** Undefined if the server replied to all. */
  code: number | undefined;
}

/**
 * Opens a socket and sends all messages without waiting. Resolves to the replies and the close code when the server has
 * replied to each or closed the socket.
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
    // If the server closes the connection during a write, it is reset.
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
    // The server shares the test's process, so the client must not block it.
    await setImmediate();
  }
  return answered;
}
