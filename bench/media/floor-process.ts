import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";
import sharp from "sharp";

// As in the product: every picture is read once.
sharp.cache(false);

const [folder = ""] = process.argv.slice(2);
await mkdir(join(folder, "tus"), { recursive: true });
const tus = new Server({ path: "/tus", datastore: new FileStore({ directory: join(folder, "tus") }) });

/** The same tasks without callers, rows, policies and types. Listens on a separate port. */
const server = createServer((request, reply) => {
  const url = new URL(request.url ?? "/", "http://floor");
  answer(url, request, reply).catch((error: Error) => {
    console.error(error);
    reply.writeHead(500).end();
  });
});

async function answer(url: URL, request: IncomingMessage, reply: ServerResponse) {
  if (url.pathname.startsWith("/tus")) return tus.handle(request, reply);
  if (request.method === "POST") {
    await pipeline(request, createWriteStream(join(folder, randomUUID()), { flush: true }));
    return reply.writeHead(200).end();
  }
  const path = url.searchParams.get("file") ?? "";
  if (url.pathname === "/rendition") {
    const copy = await sharp(path, { failOn: "none" })
      .autoOrient()
      .toColourspace("srgb")
      .resize({ width: Number(url.searchParams.get("width")), withoutEnlargement: true })
      .webp({ quality: 80, effort: 2 })
      .toBuffer();
    return reply.writeHead(200, { "content-length": copy.length }).end(copy);
  }
  const { size } = await stat(path);
  const [, from = "0", to = `${size - 1}`] = request.headers.range?.match(/^bytes=(\d+)-(\d+)$/) ?? [];
  const [start, end] = [Number(from), Number(to)];
  reply.writeHead(request.headers.range ? 206 : 200, { "content-length": end - start + 1 });
  await pipeline(createReadStream(path, { start, end }), reply);
}

server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
