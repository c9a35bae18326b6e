import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** The fault of a connection: none, delay, no data, closed, or (for HTTP) an error response. */
export type Mood = "up" | "slow" | "silent" | "down" | "refusing";

export interface FaultyLine {
  port: number;
  /** Changes the fault, also of open connections. */
  become(mood: Mood): void;
  /** Forwards further connections elsewhere. */
  leadTo(target: NetConnectOpts): void;
  close(): Promise<void>;
}

/** The delay of each chunk on a slow connection, in milliseconds. */
const LATE_MS = 300;
const REFUSAL =
  "HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/plain\r\ncontent-length: 7\r\nconnection: close\r\n\r\nBroken\n";

/** A loopback port that forwards to `target`, with faults. */
export async function faultyLine(first: NetConnectOpts): Promise<FaultyLine> {
  let target = first;
  let mood: Mood = "up";
  const pairs = new Set<[Socket, Socket]>();
  const pass = (from: Socket, to: Socket) => {
    from.on("data", (bytes) => {
      if (mood === "silent") return;
      if (mood === "refusing") return void to.destroy();
      if (mood !== "slow") return void (to.write(bytes) || from.pause());
      from.pause();
      setTimeout(() => {
        if (to.write(bytes)) from.resume();
      }, LATE_MS);
    });
    to.on("drain", () => from.resume());
    // After the bytes that are still in transit.
    from.on("end", () => setTimeout(() => to.end(), mood === "slow" ? LATE_MS : 0));
    from.on("error", () => {});
    from.on("close", () => to.destroy());
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on("error", () => {});
    if (mood === "down") return void near.destroy();
    if (mood === "refusing") {
      // Like a service, it answers after the request has begun.
      near.once("data", () => near.end(REFUSAL));
      return;
    }
    const far = connect({ ...target, allowHalfOpen: true } as NetConnectOpts);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.once("close", () => pairs.delete(pair));
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The line has no port");
  const endAll = () => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: address.port,
    become(next) {
      const was = mood;
      mood = next;
      // Bytes were dropped, so no valid data can follow.
      if (next === "down" || next === "refusing" || was === "silent") endAll();
    },
    leadTo(next) {
      target = next;
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
