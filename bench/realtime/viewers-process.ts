import WebSocket, { type RawData } from "ws";

/** What a round of viewers is told to do. */
export type Order =
  | {
      do: "connect";
      url: string;
      viewers: number;
      /** Sent by each once it is connected, one after the other; each waits until it has heard `joined`. */
      joins?: string[];
      joined?: string;
    }
  | {
      do: "hear";
      /** What is posted, from which the time runs. */
      url: string;
      headers: Record<string, string>;
      body: string;
      /** How many messages each viewer is to hear, and what marks them. */
      each: number;
      mark: string;
    }
  | { do: "part" };

export interface Outcome {
  /** Until the last viewer had heard all. */
  ms: number;
  /** One of the messages as it came. */
  message: string;
  wrong?: string;
}

/** So many joins are under way at once. */
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
        let left = each;
        const count = (data: RawData) => {
          const text = data.toString();
          if (!text.includes(mark)) return;
          message = text;
          left -= 1;
          if (left > 0) return;
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
