import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports of outgoing connections, one of which could take the port before its server does. */
const [FIRST, LAST] = [20_000, 32_767];

/** A loopback port that is free at this moment. */
export async function freePort() {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(FIRST, LAST + 1);
    const server = createServer().listen(port, "127.0.0.1");
    const listening = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!listening) continue;
    server.close();
    await once(server, "close");
    return port;
  }
  throw new Error("This machine gave no port");
}
