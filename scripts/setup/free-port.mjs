import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections: one of those could take it before its server does. */
const [FIRST, LAST] = [20_000, 32_767];

/** Those that this process was given: their servers may not listen yet. */
const given = new Set();

/** A loopback port that nothing listens on at this moment. */
export async function freePort() {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(FIRST, LAST + 1);
    if (given.has(port)) continue;
    const server = createServer().listen(port, "127.0.0.1");
    const listening = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!listening) continue;
    server.close();
    await once(server, "close");
    given.add(port);
    return port;
  }
  throw new Error("This machine gave no port");
}
