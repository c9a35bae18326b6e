import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports of outgoing connections, one of which could take the port before its server does. */
const [FIRST, LAST] = [20_000, 32_767];

/**
 * The workers of a test run ask for ports at the same time, and a server takes seconds until it listens: each worker has
 * ports of its own. Workers of another run on this machine have others as a rule.
 */
const SHARES = 16;
const SIZE = Math.floor((LAST - FIRST + 1) / SHARES);
const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env;
const first = FIRST + ((process.ppid + Number(VITEST_POOL_ID ?? TEST_PARALLEL_INDEX ?? 0)) % SHARES) * SIZE;
/** Those that this process was given. */
const given = new Set();

/** A loopback port that nothing listens on at this moment, and that this process was not given before. */
export async function freePort() {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = first + randomInt(SIZE);
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
