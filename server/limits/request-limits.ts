import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { Socket } from "node:net";
import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RetryLaterError } from "../../shared/request-error.ts";
import type { Caller } from "../database/as-caller.ts";
import type { Exchange } from "../database/exchange.ts";
import type { WorkOwner } from "../database/share-fairly.ts";
import type { WorkMeter } from "../database/work-meter.ts";
import { type CostBucket, type CostBuckets, costBuckets } from "./cost-buckets.ts";
import { type LoopClock, type LoopOwner, openLoopClock } from "./loop-clock.ts";
import { openLoopTurns } from "./loop-turns.ts";
import { type TypicalWork, typicalWork } from "./typical-work.ts";

/** The base cost of every request in milliseconds, which includes the usual work of a light request. */
const FEE = 2;
/** Milliseconds of the database's work that are included in the base cost. */
const COVERED_BY_FEE = 10;
/** Milliseconds of the main thread's work that are included in the base cost. */
const LOOP_COVERED_BY_FEE = 5;
/** Milliseconds of the database's work that take one slot of its queue, and the most slots of one request. */
const DATABASE_WORK_OF_SLOT = 10;
const MOST_DATABASE_SLOTS = 4;
/** Bytes of an answer that cost one millisecond, and the maximum cost of an answer's size. */
const BYTES_PER_MS = 100_000;
const MAX_SIZE_COST = 100;

interface Buckets {
  addresses: CostBuckets;
  callers: CostBuckets;
}

/** The cost of a request. It is charged to the address as it becomes known, and to the caller once identified. */
class RequestCost implements WorkOwner, LoopOwner {
  readonly address: string;
  caller: string;
  readonly #buckets: Buckets;
  readonly #loop: LoopClock;
  readonly #typical: TypicalWork;
  readonly #route: string;
  readonly #charged: CostBucket[];
  #ends: ((cost: number) => void)[] = [];
  #isUnderWay = false;
  #hasWorked = false;
  #databaseMs = 0;
  #loopMs = 0;
  #sizeCost = 0;
  #cost = 0;

  /** Throws a `RetryLaterError` if the address has no credit. */
  constructor(
    { address, route }: { address: string; route: string },
    { buckets, loop, typical }: { buckets: Buckets; loop: LoopClock; typical: TypicalWork },
  ) {
    this.#loop = loop;
    this.#typical = typical;
    this.#route = route;
    this.address = address;
    this.caller = `visitor from ${address}`;
    this.#buckets = buckets;
    this.#charged = [buckets.addresses.open(address)];
    requireCredit(this.#charged);
    this.#raiseTo(FEE);
  }

  /** Several for a request whose kind usually takes much of the database. */
  get slots(): number {
    return this.#typical.places(this.#kind);
  }

  /** Milliseconds of the main thread's processor time that the request has used. */
  get loopMs(): number {
    return this.#loopMs;
  }

  chargeLoop(ms: number): void {
    this.#loopMs += ms;
    this.#update();
  }

  /** The main thread works for this request from now on. */
  resume(): void {
    this.#loop.mark(this);
  }

  /** Begins the request, until {@link end}. */
  begin(): void {
    this.#isUnderWay = true;
    for (const bucket of this.#charged) this.#count(bucket);
  }

  /** Sets the caller, by a key that is unique across addresses. Throws a `RetryLaterError` if it has no credit. */
  identify(caller: string): void {
    this.resume();
    const bucket = this.#buckets.callers.open(caller);
    if (bucket.waitSeconds() > 0) requireCredit([...this.#charged, bucket]);
    this.caller = caller;
    if (this.#charged.includes(bucket)) return;
    this.#charged.push(bucket);
    bucket.charge(this.#cost);
    this.#count(bucket);
  }

  /** Throws a `RetryLaterError` if the credit was used up while the request waited in the queue. */
  beginWork(meter: WorkMeter): () => void {
    if (!this.#hasWorked) requireCredit(this.#charged);
    this.#hasWorked = true;
    this.resume();
    const spent = () => meter.spent();
    const ends = this.#charged.map((bucket) => bucket.beginWork(spent));
    return () => {
      for (const end of ends) end();
      this.resume();
      this.#databaseMs += meter.spent();
      this.#update();
    };
  }

  /** Charges the size of the answer before its compression, which takes a processor as well. */
  chargeSize(bytes: number): void {
    this.#sizeCost = Math.min(bytes / BYTES_PER_MS, MAX_SIZE_COST);
    this.#update();
  }

  end(): void {
    this.#loop.mark(undefined);
    this.#update();
    if (this.#hasWorked) this.#typical.record(this.#kind, this.#databaseMs);
    for (const end of this.#ends) end(this.#cost);
    this.#ends = [];
    this.#isUnderWay = false;
  }

  get #kind(): string {
    return `${this.caller} ${this.#route}`;
  }

  #count(bucket: CostBucket): void {
    if (!this.#isUnderWay) return;
    this.#ends.push(bucket.beginRequest());
  }

  #update(): void {
    const database = Math.max(0, this.#databaseMs - COVERED_BY_FEE);
    this.#raiseTo(FEE + database + Math.max(0, this.#loopMs - LOOP_COVERED_BY_FEE) + this.#sizeCost);
  }

  #raiseTo(cost: number): void {
    const more = cost - this.#cost;
    if (more <= 0) return;
    this.#cost = cost;
    for (const bucket of this.#charged) bucket.charge(more);
  }
}

/** Throws a `RetryLaterError` unless all of these have credit. It names the time at which the last one has. */
function requireCredit(buckets: CostBucket[]): void {
  const seconds = Math.max(...buckets.map((bucket) => bucket.waitSeconds()));
  if (seconds === 0) return;
  throw new RetryLaterError("over_request_rate_limit", seconds, {
    message: "Too many expensive requests. Please wait.",
  });
}

/** An address's limit as a multiple of a caller's, because families and guests at a venue share an address. */
const CALLERS_PER_ADDRESS = 4;
/** The maximum credit in seconds of the rate. */
const BURST_SECONDS = 20;
/** The claims that differ between tokens of the same caller. */
const OF_THE_TOKEN = new Set(["iat", "exp", "nbf", "jti"]);

export interface RequestLimits {
  /** Measures and limits every request. Must be called before routes are added. */
  install(app: FastifyInstance): void;
  /** Wraps `identify`: it refuses a caller without credit and charges the others. */
  limitCallers<Credentials>(
    identify: (credentials: Credentials) => Promise<Caller>,
  ): (credentials: Credentials) => Promise<Caller>;
  /** Exchanges spending with other processes. */
  shareCosts(exchange: Exchange): void;
  currentOwner(): WorkOwner | undefined;
}

/**
 * Gives requests turns on the main thread, and limits them by their cost: the processor time of their work in the database
 * and on the main thread, the size of their answers and a small fee.
 * `perSecond` is the milliseconds of work that one caller may cause in a second; an address may cause four times as
 * much. The state is in the memory of this process, which receives the charges of other processes within a second or
 * two.
 */
export function requestLimits(perSecond: number): RequestLimits {
  const budget = (share: number) => ({ perSecond: perSecond * share, burst: perSecond * share * BURST_SECONDS });
  const buckets = { addresses: costBuckets(budget(CALLERS_PER_ADDRESS)), callers: costBuckets(budget(1)) };
  const costs = new WeakMap<FastifyRequest, RequestCost>();
  const current = new AsyncLocalStorage<RequestCost>();
  const loop = openLoopClock();
  const typical = typicalWork({ workOfPlace: DATABASE_WORK_OF_SLOT, mostPlaces: MOST_DATABASE_SLOTS });
  const turns = openLoopTurns();

  const open = (request: FastifyRequest): RequestCost | RetryLaterError => {
    try {
      // A disconnected client has no address.
      const address = request.ip ? normalizeIP(request.ip) : "gone";
      const route = request.routeOptions.url ?? "";
      const cost = new RequestCost({ address, route }, { buckets, loop, typical });
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
        // A web socket lasts for hours and is charged continuously.
        if (request.headers.upgrade === undefined) {
          cost.begin();
          // Also called if the client disconnects before the answer.
          reply.raw.once("close", () => cost.end());
        }
        const run = () => {
          cost.resume();
          current.run(cost, done);
        };
        // Requests of the server to itself are a part of a request that has had its turn.
        if (!(request.raw.socket instanceof Socket)) return run();
        const caller = request.headers.authorization ?? request.headers.apikey ?? "";
        turns.take({ address: cost.address, caller: `${cost.address} ${caller}` }, request.routeOptions.url ?? "").then(
          (end) => {
            if (reply.raw.closed) end(cost.loopMs);
            else reply.raw.once("close", () => end(cost.loopMs));
            run();
          },
          (error: Error) => done(error),
        );
      });
      // Bodies arrive in the context of their connection, so the request's context is restored.
      app.addHook("preValidation", (request, _reply, done) => {
        const cost = costs.get(request);
        cost?.resume();
        if (cost) current.run(cost, done);
        else done();
      });
      // Runs before a route's own hooks, of which one compresses.
      app.addHook("onSend", (request, reply, payload, done) => {
        const cost = costs.get(request);
        cost?.resume();
        cost?.chargeSize(sizeOf(payload) ?? (Number(reply.getHeader("content-length")) || 0));
        done(null, payload);
      });
    },
    limitCallers: (identify) => async (credentials) => {
      const caller = await identify(credentials);
      const cost = current.getStore();
      if (!cost) return caller;
      if (caller.role !== "service_role") cost.identify(keyOf(caller, cost.address));
      return isStaff(caller) ? { ...caller, address: cost.address } : caller;
    },
    shareCosts(exchange) {
      for (const [kind, { takeSpent, chargeSpent }] of Object.entries(buckets)) {
        exchange.report(`costs of ${kind}`, takeSpent, (entries) => {
          for (const [key, cost = 0] of entries) chargeSpent(key, cost);
        });
      }
    },
    currentOwner: () => current.getStore(),
  };
}

/** Whether the audit log may need the caller's address. */
const isStaff = ({ role, app_metadata }: Caller): boolean =>
  role === "service_role" || (app_metadata instanceof Object && "role" in app_metadata);

/** The size of a payload; undefined for a stream. A string's length is near enough. */
const sizeOf = (payload: unknown): number | undefined =>
  typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : undefined;

/** A signed-in person has one key everywhere; other callers are identified by their address and token. */
function keyOf(caller: Caller, address: string): string {
  if (caller.sub !== undefined) return `person ${caller.sub}`;
  const claims = Object.entries(caller).filter(([name]) => name !== "role" && !OF_THE_TOKEN.has(name));
  if (claims.length === 0) return `visitor from ${address}`;
  return `visitor ${createHash("sha256").update(JSON.stringify(claims.sort())).digest("base64url")} from ${address}`;
}
