import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

/**
 * What the site is: its first or second build, of which neither has the other's files; only pages, while requests for data
 * fail; closed connections; or connections without any answer.
 */
type State = "first" | "second" | "pages only" | "cut" | "silent";

export interface TwoBuilds {
  url: string;
  become(state: State): void;
  close(): Promise<void>;
}

const SECOND = "assets/second/";

/** Serves the product of `target` in two builds: the second one has other names for all of its files. */
export async function twoBuilds(target: string): Promise<TwoBuilds> {
  let state: State = "first";
  let build: "first" | "second" = "first";
  const sockets = new Set<Socket>();
  const pass = (incoming: IncomingMessage, answer: ServerResponse) => {
    const path = incoming.url ?? "/";
    if (state === "silent") return;
    if (state === "cut" || (state === "pages only" && /^\/(rest|functions|auth|health|storage)\b/.test(path)))
      return void incoming.socket.destroy();
    if (path.startsWith("/assets/") && path.startsWith(`/${SECOND}`) !== (build === "second"))
      return void answer.writeHead(404).end();
    const headers = { ...incoming.headers };
    for (const name of ["accept-encoding", "if-none-match", "if-modified-since"]) delete headers[name];
    const options = { method: incoming.method, headers, path: path.replace(SECOND, "assets/") };
    const onward = request(target, options, async (reply) => {
      const type = reply.headers["content-type"] ?? "";
      const rewritten = build === "second" && /html|javascript|css/.test(type) && !path.startsWith("/functions/");
      const headers = { ...reply.headers };
      if (rewritten) for (const name of ["content-length", "etag"]) delete headers[name];
      answer.writeHead(reply.statusCode ?? 500, headers);
      if (!rewritten) return void reply.pipe(answer);
      const body = (await text(reply)).replaceAll("assets/", SECOND);
      Readable.from([path === "/sw.js" ? body.replace(/\bid:"[^"]+"/, 'id:"second"') : body]).pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    incoming.pipe(onward);
  };
  const server = createServer(pass);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (incoming, socket, head) => {
    if (state !== "first" && state !== "second") return void socket.destroy();
    const { hostname, port } = new URL(target);
    const far = connect(Number(port), hostname, () => {
      const lines = incoming.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
      far.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      far.write(head);
      far.pipe(socket).pipe(far);
    });
    for (const one of [far, socket]) one.on("error", () => far.destroy());
    socket.on("close", () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The site has no port");
  return {
    url: `http://localhost:${address.port}`,
    become(next) {
      state = next;
      if (next === "first" || next === "second") build = next;
      if (next === "cut") for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
