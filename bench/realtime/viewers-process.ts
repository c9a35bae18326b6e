import WebSocket, { type RawData } from "ws";

/** A command for a group of viewers. */
export type Order =
  | {
      do: "connect";
      url: string;
      viewers: number;
      /** Messages that each viewer sends in sequence; each waits for `joined`. */
      joins?: string[];
      joined?: string;
    }
  | {
      do: "hear";
      /** The URL of the post that starts the time. */
      url: string;
      headers: Record<string, string>;
      body: string;
      /** The number of messages that each viewer waits for, and the text that identifies them. */
      each: number;
      mark: string;
    }
  | { do: "part" };

export interface Outcome {
  /** The time until the last viewer has all messages. */
  ms: number;
  /** One of the received messages. */
  message: string;
  wrong?: string;
}

/** Parallel joins. */
const AT_ONCE = 50;

let sockets: WebSocket[] = [];

process.on("message", async (order: Order) => {
  try {
    const message = order.do === "hear" ? await hear(order) : { ms: 0, message: "" };
    if (order.do === "connect") await connect(order);
    if (order.do === "part") await part();
    process.send?.(message satisfies Outcome);
  } catch (error) {
    process.send?.({ ms: 0, message: "", wrong: (error as Error).message } satisfies Outcome);
  }
});

async function connect({ url, viewers, joins = [], joined = "" }: Order & { do: "connect" }) {
  let next = 0;
  const one = async () => {
    while (next < viewers) {
      const place = next;
      next += 1;
      const socket = new WebSocket(url, { perMessageDeflate: false });
      await new Promise<void>((resolve, reject) => {
        socket.once("error", reject);
        socket.once("close", () => reject(new Error("A viewer was turned away")));
        const join = joins[place % joins.length];
        socket.once("open", () => (join === undefined ? resolve() : socket.send(join)));
        socket.on("message", (data: RawData) => {
          if (data.toString().includes(joined)) resolve();
        });
      });
      socket.removeAllListeners("message");
      sockets.push(socket);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

async function hear({ url, headers, body, each, mark }: Order & { do: "hear" }): Promise<Outcome> {
  let message = "";
  const heard = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        let remaining = each;
        const count = (data: RawData) => {
          const text = data.toString();
          if (!text.includes(mark)) return;
          message = text;
          remaining -= 1;
          if (remaining > 0) return;
          socket.off("message", count);
          resolve();
        };
        socket.on("message", count);
      }),
  );
  const start = performance.now();
  const reply = await fetch(url, { method: "POST", headers, body });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  await Promise.all(heard);
  return { ms: performance.now() - start, message };
}

async function part() {
  const gone = sockets.map((socket) => {
    socket.removeAllListeners("close");
    return new Promise((resolve) => {
      socket.once("close", resolve);
      socket.close();
    });
  });
  await Promise.all(gone);
  sockets = [];
}
