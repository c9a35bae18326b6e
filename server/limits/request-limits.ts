import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RetryLaterError } from "../../shared/request-error.ts";
import type { Caller } from "../database/as-caller.ts";
import type { WorkOwner } from "../database/share-fairly.ts";
import { costBuckets } from "./cost-buckets.ts";
import { RequestCost } from "./request-cost.ts";

/** Several people share an address: a family at home, guests at a venue. */
const CALLERS_PER_ADDRESS = 4;
/** Seconds of the budget that may be saved up. */
const BURST_SECONDS = 20;
/** Claims that tell one token of a caller from the next. */
const OF_THE_TOKEN = new Set(["iat", "exp", "nbf", "jti"]);

export interface RequestLimits {
  /** Measures and limits every request of the server. To be called before any route is added. */
  install(app: FastifyInstance): void;
  /** The same function, which also refuses a caller without credit and charges the others for their request. */
  limitCallers<Credentials>(
    identify: (credentials: Credentials) => Promise<Caller>,
  ): (credentials: Credentials) => Promise<Caller>;
  /** The request for which the server works now. */
  currentOwner(): WorkOwner | undefined;
}

/**
 * Limits requests by what they cost: the time of their database work, the size of their answers and a small fee.
 * `perSecond` is the milliseconds of work that one caller may cause in a second; an address may cause four times as much.
 * The state lies in the memory of this process.
 */
export function requestLimits(perSecond: number): RequestLimits {
  const budget = (share: number) => ({ perSecond: perSecond * share, burst: perSecond * share * BURST_SECONDS });
  const buckets = { addresses: costBuckets(budget(CALLERS_PER_ADDRESS)), callers: costBuckets(budget(1)) };
  const costs = new WeakMap<FastifyRequest, RequestCost>();
  const current = new AsyncLocalStorage<RequestCost>();

  const open = (request: FastifyRequest): RequestCost | RetryLaterError => {
    try {
      // Whoever has gone has no address any more.
      const cost = new RequestCost(request.ip ? normalizeIP(request.ip) : "gone", buckets);
      costs.set(request, cost);
      return cost;
    } catch (error) {
      if (error instanceof RetryLaterError) return error;
      throw error;
    }
  };

  return {
    install(app) {
      app.addHook("onRequest", (request, reply, done) => {
        const cost = open(request);
        if (cost instanceof RetryLaterError) return done(cost);
        // A socket lasts for hours and is charged as it goes; its end is not told here.
        if (request.headers.upgrade === undefined) {
          cost.begin();
          // Also when the client has gone before the answer.
          reply.raw.once("close", () => cost.end(Number(reply.getHeader("content-length")) || 0));
        }
        current.run(cost, done);
      });
      // The body arrives in the context of its connection, so the request's own is entered again.
      app.addHook("preValidation", (request, _reply, done) => {
        const cost = costs.get(request);
        if (cost) current.run(cost, done);
        else done();
      });
    },
    limitCallers: (identify) => async (credentials) => {
      const caller = await identify(credentials);
      const cost = current.getStore();
      if (cost && caller.role !== "service_role") cost.identify(keyOf(caller, cost.address));
      return caller;
    },
    currentOwner: () => current.getStore(),
  };
}

/** People are the same everywhere. Everybody else is known by their address and by what their token says. */
function keyOf(caller: Caller, address: string): string {
  if (caller.sub !== undefined) return `person ${caller.sub}`;
  const claims = Object.entries(caller).filter(([name]) => name !== "role" && !OF_THE_TOKEN.has(name));
  if (claims.length === 0) return `visitor from ${address}`;
  return `visitor ${createHash("sha256").update(JSON.stringify(claims.sort())).digest("base64url")} from ${address}`;
}
