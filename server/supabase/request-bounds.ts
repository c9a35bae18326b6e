import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorBody } from "../../shared/request-error.ts";
import { checkJson, HEADER_BYTES, OutOfBoundsError, URL_LENGTH, zeroByte } from "./bounds.ts";

/** HTTP server options with which every request that can be parsed reaches the error handler of its API. */
export const boundedServer = {
  http: { maxHeaderSize: HEADER_BYTES },
  // The router refuses longer parameters itself, without CORS headers and in its own format.
  routerOptions: { maxParamLength: HEADER_BYTES },
  // The router also refuses paths that it cannot decode. Escaped, they reach a route, and `checkRequest` refuses them.
  rewriteUrl: ({ url = "/" }) => (isDecodable(pathOf(url)) ? url : url.replaceAll("%", "%25")),
  clientErrorHandler: refuseUnparsed,
} satisfies FastifyHttpOptions<Server>;

/** Refuses requests that no API can process: long URLs, zero bytes, undecodable paths and bad `Host` headers. */
export function boundRequests(app: FastifyInstance) {
  app.addHook("onRequest", async (request) => checkRequest(request));
}

function checkRequest({ originalUrl, headers, host, protocol }: FastifyRequest) {
  if (originalUrl.length > URL_LENGTH) {
    throw new OutOfBoundsError(414, "url", `The URL is longer than ${URL_LENGTH} characters`);
  }
  if (originalUrl.includes("%00")) throw zeroByte("url");
  if (!isDecodable(pathOf(originalUrl))) throw new OutOfBoundsError(400, "url", "The URL cannot be decoded");
  // Only HTTP/1.0 requests may omit the header, as some health checks do.
  if (headers.host !== undefined && !isHost(host))
    throw new OutOfBoundsError(400, "header", "The Host header is not valid");
  if (protocol !== "http" && protocol !== "https") {
    throw new OutOfBoundsError(400, "header", "The X-Forwarded-Proto header is not valid");
  }
}

const pathOf = (url: string) => url.split(/[?#]/, 1)[0] ?? "";

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a host is a name or address with an optional port, and nothing that a URL parser reads as another part. */
const isHost = (host: string): boolean =>
  /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);

/** Responds to requests that Node's parser refuses. Without CORS headers, a browser would only report a failure. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const message = STATUS_CODES[status] ?? "";
  const body = JSON.stringify(errorBody("malformed", message));
  if (socket.writable) {
    socket.write(
      [
        `HTTP/1.1 ${status} ${message}`,
        "Access-Control-Allow-Origin: *",
        "Connection: close",
        "Content-Type: application/json; charset=utf-8",
        `Content-Length: ${Buffer.byteLength(body)}`,
        "",
        body,
      ].join("\r\n"),
    );
  }
  socket.destroy(error);
}

/** Parses JSON bodies within the limits of `bounds.ts`, for APIs without their own parser. */
export function readBoundedJson(app: FastifyInstance, bodyLimit?: number) {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string", bodyLimit }, (request, body, done) => {
    const text = body as string;
    try {
      checkJson(text);
    } catch (error) {
      return done(error as Error);
    }
    // The client also sends a content type without a body.
    return text === "" ? done(null, undefined) : parse(request, text, done);
  });
}

/** Handles every unknown path below the API's prefix, with any method. Otherwise the web app's page would be sent. */
export function answerUnknownPaths(
  app: FastifyInstance,
  answer: (request: FastifyRequest, reply: FastifyReply) => unknown,
) {
  app.all("/", answer);
  app.all("/*", answer);
  // For methods that `all` does not cover.
  app.setNotFoundHandler(answer);
}
