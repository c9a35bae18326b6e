import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import type { Samples } from "./http/metrics.ts";
import { withSandboxes } from "./sandboxes.ts";
import type { SkiesServer } from "./server.ts";
import { openSecrets } from "./settings/secrets.ts";
import type { Settings } from "./settings/settings.ts";

/** The data that the primary passes to each worker in its environment. */
export interface WorkerStart {
  /** The primary's settings, with the addresses of its database and sandboxes. */
  settings: Settings;
  /** The port on which the primary serves the sandboxes' pages, and the names of these pages. */
  sandboxes: { port: number; names: string[] } | undefined;
}

/** The environment variable with {@link WorkerStart}. */
const WORKER_START = "SKIES_WORKER_START";

/** Messages between the processes. */
type Message = "serving" | "drain" | "measure" | { samples: Samples };

/** Milliseconds before a worker that ended is replaced: longer each time while none serves; the last value repeats. */
const PAUSES_MS = [0, 500, 2000, 10_000];
/**
 * How long a worker may drain its connections, in milliseconds; the rest are closed, and their clients resume
 * elsewhere.
 */
const DRAIN_MS = 600_000;

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
  const workers = openWorkers(entry, { [WORKER_START]: JSON.stringify(start) });
  const metrics =
    settings.METRICS_PORT === undefined
      ? undefined
      : await (await import("./http/metrics.ts")).serveMetrics(
          { port: settings.METRICS_PORT, host: settings.METRICS_HOST },
          workers.measure,
        );
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

function openWorkers(entry: string, environment: Record<string, string>) {
  cluster.setupPrimary({ exec: entry, args: [] });
  const all = new Set<Worker>();
  /** Workers that accept connections. */
  const serving = new Set<Worker>();
  let isClosing = false;
  let failures = 0;

  /** Resolves when the worker serves; rejects if it ends before. */
  async function fork(): Promise<void> {
    const worker = cluster.fork(environment);
    all.add(worker);
    const gone = new Promise<number>((resolve) => worker.once("exit", resolve));
    void gone.then(() => all.delete(worker));
    closeUntakenConnections(worker);
    // Sending to a worker that has just ended emits an error.
    worker.on("error", () => {});
    const served = new Promise<void>((resolve) => {
      worker.on("message", (message: Message) => message === "serving" && resolve());
    });
    await Promise.race([
      served,
      gone.then((code) => {
        throw new Error(`A worker ended with ${code} before it served.`);
      }),
    ]);
    failures = 0;
    serving.add(worker);
    console.log(`Worker ${worker.id} serves, process ${worker.process.pid}`);
    void gone.then(() => {
      if (serving.delete(worker) && !isClosing) void replace();
    });
  }

  async function replace(): Promise<void> {
    while (!isClosing) {
      await delay(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]);
      failures += 1;
      if (isClosing) return;
      if (await isServed(fork())) return;
    }
  }

  let restarting = Promise.resolve();
  async function restartAll(): Promise<void> {
    for (const old of [...serving]) {
      if (isClosing) return;
      // If the new one cannot start, the old ones stay.
      await fork();
      if (serving.delete(old)) old.send("drain" satisfies Message);
    }
  }

  return {
    fork,
    restart() {
      restarting = restarting.then(restartAll, restartAll);
      return restarting;
    },
    /** The metrics of each worker; one that ends meanwhile is left out. */
    measure: async (): Promise<Samples[]> =>
      (await Promise.all([...serving].map(measure))).filter((samples) => samples !== undefined),
    async close() {
      isClosing = true;
      const gone = [...all].map((worker) => once(worker, "exit"));
      for (const worker of all) worker.process.kill("SIGTERM");
      await Promise.all(gone);
    },
  };
}

/**
 * Closes the connections that a killed worker had not accepted yet, so that their clients retry. Node passes
 * connections to workers by undocumented internal messages, and never closes those that no worker confirms.
 */
function closeUntakenConnections(worker: Worker): void {
  const untaken = new Map<number, { close(): void }>();
  const { process } = worker;
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const [message, connection] = args as [{ act?: string; seq: number }, { close(): void } | undefined];
    if (connection && message.act === "newconn") untaken.set(message.seq, connection);
    return send(...args);
  };
  process.on("internalMessage" as "message", (answer: { ack?: number }) => untaken.delete(answer.ack ?? -1));
  worker.once("exit", () => {
    for (const connection of untaken.values()) connection.close();
  });
}

const isServed = (started: Promise<void>) =>
  started.then(
    () => true,
    () => false,
  );

const measure = (worker: Worker) =>
  new Promise<Samples | undefined>((resolve) => {
    const done = (samples?: Samples) => {
      worker.off("message", hear).off("exit", gone);
      resolve(samples);
    };
    const hear = (message: Message) => typeof message === "object" && done(message.samples);
    const gone = () => done();
    worker.on("message", hear).once("exit", gone);
    worker.send("measure" satisfies Message);
  });

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
      server.metrics?.samples().then((samples) => process.send?.({ samples } satisfies Message));
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
