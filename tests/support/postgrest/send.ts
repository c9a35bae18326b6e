import { type Agent, type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";

/** A server that speaks PostgREST's protocol. */
export type Host = Pick<RequestOptions, "host" | "port" | "socketPath"> & {
  agent: Agent;
  /** The path of its root. */
  prefix: string;
};

/** A request to either server. */
export interface Exchange {
  method: string;
  /** The path below the root, with its parameters. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** The part of a response that clients read. */
export interface Response {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The headers of a response that clients read, and those that a function of the library sets. */
const READ_BY_CLIENTS = [
  "content-type",
  "content-range",
  "location",
  "preference-applied",
  "www-authenticate",
  "allow",
  "x-reason",
  "x-library",
];

/** Sends a request; resolves to the response. */
export function send({ prefix, ...host }: Host, { method, path, headers, body }: Exchange): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...host, method, path: prefix + path, headers });
    sent.on("error", reject);
    sent.on("response", (response) => {
      text(response).then(
        (content) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              READ_BY_CLIENTS.flatMap((name) => {
                const value = response.headers[name];
                return value === undefined ? [] : [[name, String(value)]];
              }),
            ),
            body: content,
          }),
        reject,
      );
    });
    sent.end(body);
  });
}
