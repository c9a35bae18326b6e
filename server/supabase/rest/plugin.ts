import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { queryAsCaller } from "../../database/as-caller.ts";
import { type Database, isSqlError } from "../../database/database.ts";
import { BadBearer, type Identify } from "../callers.ts";
import { sendAnswer } from "./answer.ts";
import { type Catalogue, openCatalogue } from "./catalogue.ts";
import { fromSqlError, namesSomethingUnknown, RestError } from "./errors.ts";
import { beginGuess, type Guessing } from "./guessing.ts";
import { checkProfile } from "./headers.ts";
import type { Cleaners } from "./payload.ts";
import { type Asked, type Limits, type Plan, planCall, planTable } from "./plan.ts";

export interface RestDeps {
  db: Database;
  identify: Identify;
  /** By the name of a column's domain type: cleans a value before it becomes a parameter. */
  cleaners: Cleaners;
  /** Functions that slow down whoever guesses at their right answers. */
  guessing?: Guessing;
  /** The most rows of any list in an answer; 1000 as hosted. */
  maxRows?: number;
}

const LONGEST_URL = 12_000;

const READS = ["GET", "HEAD"];

type Planner = (asked: Asked, catalogue: Catalogue, limits: Limits, cleaners: Cleaners) => Plan;

/** `rest/v1`: tables and functions, as the catalogue describes them and row policies allow. */
export const rest =
  ({ db, identify, cleaners, guessing, maxRows = 1000 }: RestDeps): FastifyPluginAsync =>
  async (app) => {
    const catalogue = await openCatalogue(db);
    app.addHook("onClose", () => catalogue.close());

    // Bodies stay text: the database parses them, once.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));

    const serve = (plan: Planner) => async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await identify(request.headers);
      const asked = readRequest(request);
      const settle = guessing && plan === planCall ? await beginGuess(guessing, asked.name, request.ip) : undefined;
      const run = async () => {
        const planned = plan(asked, catalogue.current, { maxRows }, cleaners);
        const { statement, readOnly } = planned;
        const answer = await queryAsCaller(db, caller, statement.text, statement.values, { readOnly });
        return { answer, planned };
      };
      const { answer, planned } = await run()
        .catch(async (error: unknown) => {
          // Whatever was refused for a name has changed nothing, so it may be asked again of a fresh catalogue.
          if (namesSomethingUnknown(error) && (await catalogue.refresh())) return run();
          throw error;
        })
        .catch((error: unknown) => {
          if (!isSqlError(error)) throw error;
          const refusal = fromSqlError(error, caller.role !== "anon");
          // Without the error's own fields: drivers put the statement's values among them.
          if (refusal.status >= 500) request.log.error({ code: error.code }, error.message);
          throw refusal;
        });
      await settle?.(answer.body);
      return sendAnswer(reply, answer, planned.reply);
    };

    // A long list of rows is mostly its column names: on a phone's network it is worth packing.
    const packed = { compress: { threshold: 2048 } };
    app.route({
      ...packed,
      method: [...READS, "POST", "PATCH", "PUT", "DELETE"],
      url: "/:name",
      handler: serve(planTable),
    });
    app.route({ ...packed, method: [...READS, "POST"], url: "/rpc/:name", handler: serve(planCall) });
    const nothingThere = () => {
      throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
    };
    // Without it an empty name would be looked for among the tables.
    app.all("/", nothingThere);
    app.setNotFoundHandler(nothingThere);

    app.setErrorHandler((error, request, reply) => {
      const refusal = asRefusal(error);
      if (!refusal) {
        request.log.error(error);
        return sendRefusal(reply, new RestError(500, "PGRST000", "Internal error"));
      }
      return sendRefusal(reply, refusal);
    });
  };

function readRequest(request: FastifyRequest): Asked {
  const { method, url, headers } = request;
  if (url.length > LONGEST_URL)
    throw new RestError(414, "PGRST100", `The URL is longer than ${LONGEST_URL} characters`);
  const reading = READS.includes(method);
  checkProfile(header(headers[reading ? "accept-profile" : "content-profile"]));
  const body = typeof request.body === "string" ? request.body : "";
  if (body !== "" && !/^application\/([\w.-]+\+)?json\b/i.test(headers["content-type"] ?? "application/json")) {
    throw new RestError(415, "PGRST102", `Content-Type not acceptable: ${headers["content-type"]}`);
  }
  const question = url.indexOf("?");
  return {
    method,
    name: (request.params as { name: string }).name,
    pairs: question < 0 ? [] : [...new URLSearchParams(url.slice(question + 1))],
    prefer: header(headers.prefer),
    accept: header(headers.accept),
    range: header(headers.range),
    body,
  };
}

const header = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(", ") : value);

/** The refusal that an error is, if it is one; a bug is none. */
function asRefusal(error: unknown): RestError | undefined {
  if (error instanceof RestError) return error;
  if (error instanceof BadBearer) return new RestError(401, error.expired ? "PGRST303" : "PGRST301", error.message);
  if (error instanceof Error && "code" in error && String(error.code).startsWith("FST_ERR_")) {
    const status = "statusCode" in error ? Number(error.statusCode) : 500;
    return status < 500 ? new RestError(status, "PGRST102", error.message) : undefined;
  }
  return undefined;
}

function sendRefusal(reply: FastifyReply, { status, code, message, details, hint }: RestError) {
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply.code(status).type("application/json; charset=utf-8").send({ code, details, hint, message });
}
