import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A page that is sent instead of an answer. */
interface GatewayPage {
  status: number;
  html: string;
}

/** A network's gateway between browsers and a server. It forwards requests, or answers all of them with a page of its own. */
export interface Gateway {
  /** http://localhost:…, to be opened instead of the server's. */
  url: string;
  /** From now on sends this page, or forwards if it is undefined. */
  answer(page: GatewayPage | undefined): void;
  /** How many requests the current page has answered. */
  answered(): number;
  close(): Promise<void>;
}

/** Starts a gateway in front of a server. */
export async function startGateway(serverUrl: string): Promise<Gateway> {
  const { hostname, port } = new URL(serverUrl);
  let page: GatewayPage | undefined;
  let answered = 0;
  const tunnels = new Set<Socket>();
  const gateway = createServer((incoming, outgoing) => {
    if (page) {
      answered += 1;
      incoming.resume();
      outgoing.writeHead(page.status, { "content-type": "text/html; charset=utf-8" }).end(page.html);
      return;
    }
    const { method, url: path, headers } = incoming;
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  gateway.on("upgrade", (incoming, socket: Socket) => {
    if (page) return socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n");
    const server = connect(Number(port), hostname, () => {
      const headers = incoming.rawHeaders.flatMap((name, at, all) => (at % 2 ? [] : [`${name}: ${all[at + 1]}`]));
      server.write(`GET ${incoming.url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
      server.pipe(socket).pipe(server);
    });
    tunnels.add(socket);
    for (const end of [socket, server])
      end
        .on("error", () => {})
        .on("close", () => {
          tunnels.delete(socket);
          socket.destroy();
          server.destroy();
        });
  });
  await new Promise<void>((resolve) => gateway.listen(0, "localhost", resolve));
  return {
    url: `http://localhost:${(gateway.address() as AddressInfo).port}`,
    answer(next) {
      page = next;
      answered = 0;
      if (page) for (const tunnel of tunnels) tunnel.destroy();
    },
    answered: () => answered,
    async close() {
      for (const tunnel of tunnels) tunnel.destroy();
      gateway.closeAllConnections();
      await new Promise((resolve) => gateway.close(resolve));
    },
  };
}
