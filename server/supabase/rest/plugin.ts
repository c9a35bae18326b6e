import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { RequestError, RetryLaterError } from "../../../shared/request-error.ts";
import { answerAsCaller, type Caller } from "../../database/as-caller.ts";
import { type Database, isSqlError } from "../../database/database.ts";
import type { AttemptLimiter } from "../attempt-limiter.ts";
import { BODY_BYTES, checkJson, OutOfBoundsError } from "../bounds.ts";
import { BadBearerError, type Identify } from "../callers.ts";
import { foreignRefusal, type IsForeign } from "../foreign-pages.ts";
import { answerUnknownPaths } from "../request-bounds.ts";
import { serviceFailure } from "../service-failure.ts";
import { addContentRange, sendAnswer } from "./answer.ts";
import type { Catalogue, CatalogueCache } from "./catalogue.ts";
import { type DomainCleaners, planClean } from "./cleaning.ts";
import { fromFailure, fromSqlError, namesSomethingUnknown, RestError } from "./errors.ts";
import { checkProfile } from "./headers.ts";
import type { Pair } from "./parse-query.ts";
import type { Cleaners } from "./payload.ts";
import { type Limits, type Plan, planCall, planTable, type RestRequest } from "./plan.ts";
import { readerOf } from "./readable.ts";
import { requestSettings } from "./settings.ts";

/** A database function that checks a secret, which callers may try to guess. */
interface Guessable {
  attempts: AttemptLimiter;
  /** Whether the response's JSON text means a wrong guess. */
  isWrong: (body: string) => boolean;
}

/** The number of characters from which a body takes milliseconds to parse. */
const LARGE = 100_000;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves when a body may be parsed: at once for a small body, and for a large one in a turn of the event loop without
 * another large body. Otherwise every other request would wait for twenty parallel large bodies.
 */
async function turnFor(body: unknown): Promise<void> {
  if (typeof body !== "string" || body.length < LARGE) return;
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  await last;
}

interface RestDeps {
  db: Database;
  catalogue: CatalogueCache;
  identify: Identify;
  /** The cleaners of values before these become parameters. */
  cleaners: DomainCleaners;
  /** Functions that check a secret, by name. */
  guessable?: Readonly<Record<string, Guessable>>;
  /** Whether another site's page made a browser send a request. Such requests must not use up attempts. */
  isForeign: IsForeign;
  /** The maximum number of rows in any list of a response; 1000, as on the hosted platform. */
  maxRows?: number;
}

/** Whether the caller has only the publishable key. */
const isVisitor = (caller: Caller): boolean => caller.role === "anon" && Object.keys(caller).length === 1;

const READS = ["GET", "HEAD"];

type Planner = (request: RestRequest, catalogue: Catalogue, limits: Limits, cleaners: Cleaners) => Plan;

/** `rest/v1`: tables and functions, as the catalogue describes them and row policies allow. */
export const rest =
  ({ db, catalogue, identify, cleaners, isForeign, guessable = {}, maxRows = 1000 }: RestDeps): FastifyPluginAsync =>
  async (app) => {
    // Bodies stay text: only the database parses them.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string", bodyLimit: BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );

    /** Refuses requests that may not count as guesses, and so may not guess. */
    const refuseUncounted = (request: FastifyRequest) => {
      if (READS.includes(request.method)) throw new RestError(405, "PGRST101", "This function is called by POST only");
      if (isForeign(request)) throw foreignRefusal();
    };

    const serve = (plan: Planner) => async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await identify(request.headers);
      await turnFor(request.body);
      const restRequest = readRequest(request);
      const settings = requestSettings(request, plan === planCall);
      const guess =
        plan === planCall && Object.hasOwn(guessable, restRequest.name) ? guessable[restRequest.name] : undefined;
      if (guess) refuseUncounted(request);
      const attempt = await guess?.attempts.begin(request.ip, caller);
      let used = catalogue.current;
      const reader = readerOf(caller);
      const run = async () => {
        const clean = await planClean((values) => plan(restRequest, used, { maxRows, reader }, values), cleaners, {
          db,
          caller,
          owner: caller.sub ?? request.ip,
          request: settings,
        });
        const { planned } = clean;
        if (clean.answer) return { answer: clean.answer, planned };
        const { statement, readOnly } = planned;
        // Visitors may get public rows from a replica: they have written nothing that the replica could lack.
        const mayBeOld = plan === planTable && isVisitor(caller);
        const how = { readOnly, mayBeOld, request: settings };
        const answer = await answerAsCaller(db, caller, statement.text, statement.values, how);
        return { answer, planned };
      };
      const { answer, planned } = await run()
        .catch(async (error: unknown) => {
          if (!namesSomethingUnknown(error)) throw error;
          // A request refused for an unknown name has changed nothing, so it can run again with a newer catalogue.
          const newest = await catalogue.refresh();
          if (newest === used) throw error;
          used = newest;
          return run();
        })
        .catch((error: unknown) => {
          if (!isSqlError(error)) throw error;
          const refusal = fromSqlError(error, {
            signedIn: reader.signedIn,
            reading: READS.includes(request.method),
          });
          // Logs only these fields of the error, because the driver puts values of the statement into the others.
          if (refusal.status >= 500) request.log.error({ code: error.code }, error.message);
          throw refusal;
        });
      if (guess && !guess.isWrong(`${answer.body}`)) await attempt?.refund();
      return sendAnswer(reply, answer, planned.reply);
    };

    // Compressed, because a long list consists mostly of its column names.
    const compressed = { compress: { threshold: 2048 } };
    app.addHook("onRoute", (route) => {
      route.onSend = [route.onSend ?? [], addContentRange].flat();
    });
    app.route({
      ...compressed,
      method: [...READS, "POST", "PATCH", "PUT", "DELETE"],
      url: "/:name",
      handler: serve(planTable),
    });
    app.route({ ...compressed, method: [...READS, "POST"], url: "/rpc/:name", handler: serve(planCall) });
    app.route({
      method: ["PUT", "PATCH", "DELETE"],
      url: "/rpc/:name",
      handler: async ({ method }) => {
        throw new RestError(405, "PGRST101", `Cannot use the ${method} method on RPC`);
      },
    });
    const notFound = () => {
      throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
    };
    answerUnknownPaths(app, notFound);

    app.setErrorHandler((error, request, reply) => {
      const refusal = asRefusal(error);
      if (error instanceof RetryLaterError) reply.header("retry-after", error.retryAfter);
      // The cause of a RestError has been logged already.
      if (!(error instanceof RestError) && (refusal?.status ?? 500) >= 500) request.log.error(error);
      return sendRefusal(reply, refusal ?? new RestError(500, "PGRST000", "Internal error"));
    });
  };

function readRequest(request: FastifyRequest): RestRequest {
  const { method, url, headers } = request;
  const reading = READS.includes(method);
  checkProfile(header(headers[reading ? "accept-profile" : "content-profile"]));
  const body = typeof request.body === "string" ? request.body : "";
  if (body !== "" && !/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "application/json")) {
    throw new RestError(415, "PGRST102", `Content-Type not acceptable: ${headers["content-type"]}`);
  }
  checkJson(body);
  const question = url.indexOf("?");
  return {
    method,
    name: (request.params as { name: string }).name,
    pairs: question < 0 ? [] : pairsOf(url.slice(question + 1)),
    prefer: header(headers.prefer),
    accept: header(headers.accept),
    range: header(headers.range),
    body,
  };
}

/** Reads the parameters of a query. One without `=` has no value, and no meaning. */
const pairsOf = (query: string): Pair[] => [
  ...new URLSearchParams(
    query
      .split("&")
      .filter((pair) => pair.includes("="))
      .join("&"),
  ),
];

const header = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(", ") : value);

/** Returns the RestError for an error; undefined for a bug. */
function asRefusal(error: unknown): RestError | undefined {
  if (error instanceof RestError) return error;
  if (error instanceof RetryLaterError) {
    return new RestError(error.status, error.status === 429 ? "PGRST429" : "PGRST003", error.message);
  }
  if (error instanceof RequestError) return new RestError(error.status, "PGRST102", error.message);
  if (error instanceof OutOfBoundsError) {
    return new RestError(error.status, error.part === "body" ? "PGRST102" : "PGRST100", error.message);
  }
  const failure = serviceFailure(error);
  if (failure) return fromFailure(failure, isSqlError(error) ? error.code : undefined);
  if (error instanceof BadBearerError)
    return new RestError(401, error.expired ? "PGRST303" : "PGRST301", error.message);
  if (error instanceof Error && "code" in error && String(error.code).startsWith("FST_ERR_")) {
    const status = "statusCode" in error ? Number(error.statusCode) : 500;
    return status < 500 ? new RestError(status, "PGRST102", error.message) : undefined;
  }
  return undefined;
}

function sendRefusal(reply: FastifyReply, { status, code, message, details, hint, retryAfter, headers }: RestError) {
  reply.headers(headers);
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply.code(status).type("application/json; charset=utf-8").send({ code, details, hint, message });
}
