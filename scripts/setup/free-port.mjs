import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * These are below the ephemeral ports, because an outgoing connection could take such a port before its server does.
 */
const [FIRST, LAST] = [20_000, 32_767];

/**
 * The workers of a test run choose ports at the same time, and a server needs seconds until it listens. Therefore each
 * worker has its own range. Workers of another test run on this machine usually have other ranges.
 */
const SHARES = 16;
const SIZE = Math.floor((LAST - FIRST + 1) / SHARES);
const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env;
const first = FIRST + ((process.ppid + Number(VITEST_POOL_ID ?? TEST_PARALLEL_INDEX ?? 0)) % SHARES) * SIZE;
/** The ports that this process has already received. */
const ports = new Set();

/** Resolves to a loopback port on which no process listens now, and which this process has not received before. */
export async function freePort() {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = first + randomInt(SIZE);
    if (ports.has(port)) continue;
    const server = createServer().listen(port, "127.0.0.1");
    const listening = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!listening) continue;
    server.close();
    await once(server, "close");
    ports.add(port);
    return port;
  }
  throw new Error("This machine gave no port");
}

/**
 * Ends the process if another one listens on the server's port, with the server's own sentence. Anything else that is
 * wrong with these settings is the server's to report.
 * @param {{ PORT?: string, HOST?: string }} environment
 */
export async function requireFreePort({ PORT, HOST }) {
  const port = Number(PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65535) return;
  const server = createServer();
  const error = await once(server.listen(port, HOST || "127.0.0.1"), "listening").then(
    () => undefined,
    (/** @type {NodeJS.ErrnoException} */ error) => error,
  );
  if (error?.code === "EADDRINUSE") {
    console.error(`Port ${port} is taken. Stop the program that uses it, or set PORT to another one.`);
    process.exit(1);
  }
  if (!error) await once(server.close(), "close");
}
