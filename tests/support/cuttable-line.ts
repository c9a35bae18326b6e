import { connect, createServer, type Socket } from "node:net";

/** A connection between browser and server that a test can cut. */
export interface CuttableLine {
  /** The URL of the server through this connection, http://localhost:…. */
  url: string;
  /** The number of bytes that the browser has sent. */
  sent(): number;
  /** Cuts the connection after so many more bytes from the browser, and then resolves. Nothing passes until `mend`. */
  cutAfter(bytes: number): Promise<void>;
  mend(): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy to `target`, e.g. http://localhost:3000. */
export async function layLine(target: string): Promise<CuttableLine> {
  const { port, hostname } = new URL(target);
  const ends = new Set<Socket>();
  let sent = 0;
  let isCut = false;
  let next: { at: number; reached: () => void } | undefined;

  const endAll = () => {
    for (const end of ends) end.destroy();
  };
  const server = createServer((browser) => {
    if (isCut) return void browser.destroy();
    const far = connect(Number(port), hostname);
    for (const [end, other] of [
      [browser, far],
      [far, browser],
    ] as const) {
      ends.add(end);
      end.on("error", () => {});
      end.on("close", () => {
        ends.delete(end);
        other.destroy();
      });
    }
    browser.on("data", (bytes) => {
      sent += bytes.length;
      if (!next || sent < next.at) return;
      isCut = true;
      const { reached } = next;
      next = undefined;
      endAll();
      reached();
    });
    browser.pipe(far);
    far.pipe(browser);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The line has no port");
  return {
    url: `http://localhost:${address.port}`,
    sent: () => sent,
    cutAfter: (bytes) =>
      new Promise((reached) => {
        next = { at: sent + bytes, reached };
      }),
    mend() {
      isCut = false;
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
