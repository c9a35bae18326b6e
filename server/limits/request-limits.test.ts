import compress from "@fastify/compress";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { requestLimits } from "./request-limits.ts";

const MEGABYTES = 10_000_000;

test.each(["identity", "gzip", "br"])("a long answer costs its size before its compression (%s)", async (encoding) => {
  const app = Fastify();
  await app.register(compress, { global: false });
  // An address has 80 ms, and this answer costs 100 ms by its size.
  requestLimits(1).install(app);
  const long = Buffer.alloc(MEGABYTES, "A long summer. ");
  app.get("/long", { compress: {} }, async (_request, reply) => reply.type("application/json").send(long));
  app.get("/short", async () => "short");
  const headers = { "accept-encoding": encoding };
  const statuses = [];
  for (const url of ["/short", "/short", "/long", "/short"])
    statuses.push((await app.inject({ url, headers })).statusCode);
  expect(statuses).toEqual([200, 200, 200, 429]);
});
