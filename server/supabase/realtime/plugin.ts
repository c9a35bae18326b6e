import type { IncomingMessage } from "node:http";
import websocket from "@fastify/websocket";
import type { FastifyPluginAsync } from "fastify";
import { errorBody, RequestError } from "../../../shared/request-error.ts";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Exchange } from "../../database/exchange.ts";
import { fairQueue } from "../../database/fair-queue.ts";
import { BadBearerError, type Identify } from "../callers.ts";
import { answerUnknownPaths } from "../request-bounds.ts";
import { refuseUnsupported } from "../unsupported.ts";
import { openFilterCheck } from "./bindings.ts";
import { openCatalogue } from "./catalogue.ts";
import { BROADCASTS_NOT_SUPPORTED } from "./channel.ts";
import { concernedBindings, deliver, type Listener } from "./delivery.ts";
import { openFeed } from "./feed.ts";
import type { Hub } from "./grant.ts";
import { JOINS_AT_ONCE, MESSAGE_BYTES, openAddressBudgets } from "./limits.ts";
import { isVersion } from "./messages.ts";
import { watchSessions } from "./sessions.ts";
import { serveSocket } from "./socket.ts";

export interface RealtimeDeps {
  db: Database;
  identify: Identify;
  exchange: Exchange;
  /** Receives a function that returns the number of open sockets. */
  watchSockets?: ((count: () => number) => void) | undefined;
  /** Aborts when clients should reconnect to another process. */
  leaving?: AbortSignal | undefined;
}

/** The close code for a restarting server (RFC 6455's registry). Clients reconnect at once. */
const SERVICE_RESTART = 1012;
/** The delay between two sockets that are asked to reconnect, in milliseconds. It spreads the load. */
const BETWEEN_MS = 2;

/** The time limit in ms for clients to close when the server stops. */
const GOODBYE_MS = 500;

/** `realtime/v1`: row changes over Phoenix channels, for callers who may see the rows. */
export const realtime =
  ({ db, identify, exchange, watchSockets, leaving }: RealtimeDeps): FastifyPluginAsync =>
  async (app) => {
    await app.register(websocket, {
      // Events are asynchronous, so that other requests run between two messages of one client.
      options: { maxPayload: MESSAGE_BYTES, allowSynchronousEvents: false },
      // A client's mistake ends its own socket and is not logged as the server's error.
      errorHandler: (error, socket) => {
        app.log.info(error);
        socket.terminate();
      },
      preClose(done) {
        for (const client of app.websocketServer.clients) {
          client.close(1001, "the server stops");
          setTimeout(() => client.terminate(), GOODBYE_MS).unref();
        }
        app.websocketServer.close();
        done();
      },
    });

    watchSockets?.(() => app.websocketServer.clients.size);
    leaving?.addEventListener("abort", () => {
      for (const [index, client] of [...app.websocketServer.clients].entries())
        setTimeout(() => client.close(SERVICE_RESTART, "connect again"), index * BETWEEN_MS).unref();
    });
    const catalogue = openCatalogue(db);
    const checkFilter = openFilterCheck(db);
    const sessions = watchSessions(db);
    const budgets = openAddressBudgets(exchange);
    // The rates limit how many joins wait.
    const joins = fairQueue({
      width: JOINS_AT_ONCE,
      maxWaitMs: Number.POSITIVE_INFINITY,
      maxWaitingPerAddress: Number.POSITIVE_INFINITY,
    });
    const listeners = new Set<Listener>();
    const failed = (error: unknown) => app.log.error(error);
    const [feed] = await Promise.all([
      openFeed({
        db,
        hasListeners: () => listeners.size > 0,
        checkSessions: sessions.check,
        deliver: (changes) => deliver({ db, catalogue, listeners, failed }, changes),
        failed,
      }),
      db.query("select realtime.watch_publication()"),
    ]);
    app.addHook("onClose", async () => {
      catalogue.close();
      await feed.stop();
    });

    refuseUnsupported(
      app,
      [{ path: /^\/api(\/|$)/, message: BROADCASTS_NOT_SUPPORTED }],
      (message) => new RequestError("not_supported", { message }),
    );
    answerUnknownPaths(app, async (_request, reply) =>
      reply.code(404).send(errorBody("not_found", "There is nothing at this path.")),
    );
    const hub: Hub = {
      identify,
      catalogue,
      checkFilter,
      feed,
      sessions,
      listeners,
      concernedBindings: (listener, changes) => concernedBindings({ db, catalogue }, listener, changes),
    };
    const callers = new WeakMap<IncomingMessage, Caller>();
    app.get<{ Querystring: { apikey?: string; vsn?: string } }>(
      "/websocket",
      {
        websocket: true,
        preValidation: async (request, reply) => {
          const { apikey, vsn = "1.0.0" } = request.query;
          if (budgets.isFull(request.ip)) return reply.code(429).send({ message: "Too many connected users" });
          if (!isVersion(vsn)) return reply.code(400).send({ message: "Unsupported protocol version" });
          if (!apikey) return reply.code(401).send({ message: "No API key found in request" });
          try {
            callers.set(request.raw, await identify({ apikey }));
          } catch (error) {
            if (!(error instanceof BadBearerError)) throw error;
            return reply.code(401).send({ message: "Invalid API key" });
          }
        },
      },
      (ws, request) => {
        const { vsn = "1.0.0" } = request.query;
        const caller = callers.get(request.raw);
        if (!caller || !isVersion(vsn)) return ws.terminate();
        serveSocket(hub, ws, {
          version: vsn,
          wire: request.raw.socket,
          caller,
          budget: budgets.open(request.ip),
          takeTurn: () => joins.acquire({ address: request.ip, caller: request.ip }),
          failed,
        });
      },
    );
  };
