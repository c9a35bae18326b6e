import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Listens on a loopback port; 0 selects a free one. Creates the server only at the first request, because most runs of
 * Skies send none.
 */
export async function listenLazily(make: () => FastifyInstance | Promise<FastifyInstance>, port = 0) {
  let making: Promise<FastifyInstance> | undefined;
  const ready = async () => {
    const app = await make();
    await app.ready();
    return app;
  };
  const server = createServer((request, response) => {
    making ??= ready();
    making.then(
      (app) => app.routing(request, response),
      (error: Error) => response.destroy(error),
    );
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await (await making)?.close();
    },
  };
}
