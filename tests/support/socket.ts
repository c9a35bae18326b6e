import WebSocket from "ws";
import type { TestServer } from "./server.ts";

type Version = "1.0.0" | "2.0.0";

interface Heard {
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

/** A join for all changes of memories, with which any caller may join. */
export const ANY_JOIN = { config: { postgres_changes: [{ event: "*", schema: "public", table: "memories" }] } };

/** A bare socket for Phoenix channels, for messages that the official client never sends. */
export async function openSocket(server: TestServer, version: Version, address?: string) {
  const url = `${server.url.replace("http", "ws")}/realtime/v1/websocket?vsn=${version}&apikey=${server.keys.publishable}`;
  const ws = new WebSocket(address ?? url);
  const heard: Heard[] = [];
  const waiting: (() => void)[] = [];
  ws.on("message", (data: Buffer) => {
    const json = JSON.parse(data.toString());
    heard.push(Array.isArray(json) ? { ref: json[1], topic: json[2], event: json[3], payload: json[4] } : json);
    for (const look of waiting.splice(0)) look();
  });
  const closed = new Promise<number>((resolve) => ws.on("close", resolve));
  await new Promise<void>((resolve, reject) => {
    ws.once("open", resolve);
    ws.once("error", reject);
  });
  let lastRef = 0;

  const find = async (matches: (message: Heard) => boolean): Promise<unknown> => {
    for (;;) {
      const at = heard.findIndex(matches);
      if (at >= 0) return heard.splice(at, 1)[0]?.payload;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const ask = (topic: string, event: string, payload: object) => {
    const ref = String(++lastRef);
    ws.send(
      JSON.stringify(
        version === "2.0.0" ? [ref, ref, topic, event, payload] : { join_ref: ref, ref, topic, event, payload },
      ),
    );
    return find((message) => message.event === "phx_reply" && message.ref === ref);
  };
  return {
    /** Sends a message and resolves to the payload of its reply. */
    ask,
    join: (payload: object, topic = "realtime:test") => ask(topic, "phx_join", payload),
    /** Resolves to the payload of the next message of this event, including earlier ones that were not read. */
    heard: (event: string) => find((message) => message.event === event),
    send: (data: string | Buffer) => ws.send(data),
    /** Sends a message that the protocol does not reply to. */
    tell: (topic: string, event: string, payload: object) =>
      ws.send(
        JSON.stringify(
          version === "2.0.0"
            ? [null, null, topic, event, payload]
            : { join_ref: null, ref: null, topic, event, payload },
        ),
      ),
    /** The unread payloads of this event. */
    waiting: (event: string) => heard.filter((message) => message.event === event).map(({ payload }) => payload),
    close: () => ws.close(),
    /** The close code. */
    closed,
  };
}
