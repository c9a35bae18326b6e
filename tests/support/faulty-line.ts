import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** How a line treats what passes: not at all, late, in silence, by ending it, or (for HTTP) by an error of its own. */
export type Mood = "up" | "slow" | "silent" | "down" | "refusing";

export interface FaultyLine {
  port: number;
  /** Changes the mood, also of connections that are open. */
  become(mood: Mood): void;
  close(): Promise<void>;
}

/** By how much each piece of a slow line is late, in milliseconds. */
const LATE_MS = 300;
const REFUSAL =
  "HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/plain\r\ncontent-length: 7\r\nconnection: close\r\n\r\nBroken\n";

/** A port of the loopback that leads to `target` while it is up. */
export async function faultyLine(target: NetConnectOpts): Promise<FaultyLine> {
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
    from.on("end", () => to.end());
    from.on("error", () => {});
    from.on("close", () => to.destroy());
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on("error", () => {});
    if (mood === "down") return void near.destroy();
    if (mood === "refusing") {
      // After the request has begun, as a service answers.
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
      // Bytes were lost in silence: nothing sensible can follow them.
      if (next === "down" || next === "refusing" || was === "silent") endAll();
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
