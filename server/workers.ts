import { once } from "node:events";
import { request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { withSandboxes } from "./sandboxes.ts";
import type { SkiesServer } from "./server.ts";
import { openSecrets } from "./settings/secrets.ts";
import type { Settings } from "./settings/settings.ts";
import { type Message, openWorkers } from "./worker-processes.ts";

/** The data that the primary passes to each worker in its environment. */
export interface WorkerStart {
  /** The primary's settings, with the addresses of its database and sandboxes. */
  settings: Settings;
  /** The port on which the primary serves the sandboxes' pages, and the names of these pages. */
  sandboxes: { port: number; names: string[] } | undefined;
}

/** The environment variable with {@link WorkerStart}. */
const WORKER_START = "SKIES_WORKER_START";

/**
 * How long a worker may drain its connections, in milliseconds; the rest are closed, and their clients resume
 * elsewhere.
 */
const DRAIN_MS = 600_000;
/** What a worker gets beyond its own time limits before it is killed, in milliseconds. */
const SPARE_MS = 5000;

export interface Primary {
  /** Replaces the workers one after the other; an old one ends with its last connection. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs `count` workers that share the port, the database at `settings.DATABASE_URL`, and the sandboxes. Replaces
 * workers that end. `entry` is the file that a worker runs. Resolves when all serve; rejects if one ends before it
 * serves.
 */
export async function startPrimary(givenSettings: Settings, count: number, entry: string): Promise<Primary> {
  // Opened before the workers start, so that no two workers generate different secrets.
  await openSecrets({ secretKey: givenSettings.SECRET_KEY, dataDir: givenSettings.DATA_DIR });
  const { settings, pages, close: closeSandboxes } = await withSandboxes(givenSettings);
  const sandboxes = fastify({ forceCloseConnections: true });
  for (const [name, page] of Object.entries(pages)) await sandboxes.register(page, { prefix: `/sandbox/${name}` });
  await sandboxes.listen({ port: 0, host: "127.0.0.1" });
  const { port } = sandboxes.server.address() as AddressInfo;
  const start: WorkerStart = { settings, sandboxes: { port, names: Object.keys(pages) } };
  const workers = openWorkers(
    entry,
    { [WORKER_START]: JSON.stringify(start) },
    { start: 300_000, answer: 9000, drain: DRAIN_MS + SPARE_MS, stop: settings.STOP_SECONDS * 1000 + SPARE_MS },
  );
  const { METRICS_PORT: metricsPort, METRICS_HOST: metricsHost } = settings;
  const metrics = metricsPort === undefined ? undefined : await serveAll({ port: metricsPort, host: metricsHost });
  async function serveAll(address: { port: number; host: string }) {
    const { serveMetrics, workerSamples } = await import("./http/metrics.ts");
    return serveMetrics(address, async () => {
      const answers = await workers.measure();
      return [...answers, await workerSamples({ configured: count, answering: answers.length })];
    });
  }
  const close = async () => {
    await workers.close();
    await metrics?.close();
    await sandboxes.close();
    await closeSandboxes();
  };
  try {
    // If the first one cannot start, the others would only repeat its error.
    await workers.fork();
    await Promise.all(Array.from({ length: count - 1 }, workers.fork));
    return { restart: workers.restart, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Plugins that forward requests for sandbox pages to the primary. */
export function pagesOfPrimary({ sandboxes }: WorkerStart): Record<string, FastifyPluginAsync> {
  const forward: FastifyPluginAsync = async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _body, done) => done(null));
    app.all("/*", (request, reply) => {
      reply.hijack();
      const { method, url, headers } = request.raw;
      const onward = ask({ host: "127.0.0.1", port: sandboxes?.port, method, path: url, headers }, (answer) => {
        for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...answer.headers }))
          if (value !== undefined) reply.raw.setHeader(name, value);
        reply.raw.writeHead(answer.statusCode ?? 502);
        answer.pipe(reply.raw);
      });
      onward.once("error", () => reply.raw.destroy());
      request.raw.pipe(onward);
    });
  };
  return Object.fromEntries((sandboxes?.names ?? []).map((name) => [name, forward]));
}

/** Reports to the primary that this worker serves, and handles its messages. `end` is called after draining. */
export function serveAsWorker(server: SkiesServer, end: () => void): void {
  process.on("message", (message: Message) => {
    if (message === "drain") void drain(server).then(end);
    if (message === "measure")
      server.metrics?.samples().then(
        (samples) => process.send?.({ samples } satisfies Message),
        (error: unknown) => server.app.log.error(error, "The metrics cannot be read"),
      );
  });
  process.send?.("serving" satisfies Message);
}

/** Accepts no new connection; resolves when the last one has closed or the time limit has passed. */
async function drain({ app, leave }: Pick<SkiesServer, "leave"> & { app: FastifyInstance }): Promise<void> {
  const { server } = app;
  // Closing an idle connection could lose a request in flight. The request is answered first; then the connection ends.
  server.closeIdleConnections = () => {};
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const ended = once(server, "close");
  server.close();
  leave();
  await Promise.race([ended, delay(DRAIN_MS, undefined, { ref: false })]);
}
