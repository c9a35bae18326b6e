import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { WebSocket, WebSocketServer } from "ws";

/** A bare broadcast: sends each posted body to every socket `x-times` times. Reports its port. */
const server = createServer(async (request, reply) => {
  const message = await text(request);
  const times = Number(request.headers["x-times"] ?? 1);
  reply.writeHead(201).end();
  for (let n = 0; n < times; n += 1) {
    for (const socket of sockets.clients) if (socket.readyState === WebSocket.OPEN) socket.send(message);
  }
});
const sockets = new WebSocketServer({ server });
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
