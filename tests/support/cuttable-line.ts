import { connect, createServer, type Socket } from "node:net";

/** A line between a browser and a server that a test can cut. */
export interface CuttableLine {
  /** http://localhost:…, where the browser finds the server through this line. */
  url: string;
  /** Bytes that have come from the browser's side. */
  sent(): number;
  /** Resolves when so many more bytes have come from the browser and the line has been cut: nothing passes until `mend`. */
  cutAfter(bytes: number): Promise<void>;
  mend(): void;
  close(): Promise<void>;
}

/** Lays a line to `target`, an address as http://localhost:3000. It passes everything until it is cut. */
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
