import type { FastifyRequest } from "fastify";
import type { RequestSettings, ResponseSettings } from "../../database/database.ts";
import { RestError } from "./errors.ts";

/** Headers that identify a caller. Functions read verified claims instead, and a function's error may repeat a header. */
const SECRET = new Set(["authorization", "apikey", "cookie", "proxy-authorization"]);

/** Returns the settings by which functions and policies read a request, with the path below the root of `rest/v1`. */
export function requestSettings(request: FastifyRequest, isCall: boolean): RequestSettings {
  const { name } = request.params as { name: string };
  const headers = Object.entries(request.headers).flatMap(([key, value]) =>
    value === undefined || SECRET.has(key) ? [] : [[key, Array.isArray(value) ? value.join(", ") : value]],
  );
  return {
    method: request.method,
    path: `/${isCall ? "rpc/" : ""}${name}`,
    headers: JSON.stringify(Object.fromEntries(headers)),
  };
}

/** A response's parts that functions and triggers set. */
export interface OwnResponse {
  /** Undefined for the usual status. */
  status?: number;
  headers: [name: string, value: string][];
}

/** The shape of a header's name, and of a value. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads the settings of a response; refuses what no response can have. */
export function readResponse({ status, headers }: ResponseSettings): OwnResponse {
  const code = status ? Number(status) : undefined;
  if (code !== undefined && !(Number.isInteger(code) && code >= 200 && code <= 599)) {
    throw new RestError(500, "PGRST112", "response.status guc must be a valid status code");
  }
  return { ...(code === undefined ? {} : { status: code }), headers: headers ? readHeaders(headers) : [] };
}

function readHeaders(text: string): OwnResponse["headers"] {
  const refusal = new RestError(
    500,
    "PGRST111",
    "response.headers guc must be a JSON array composed of objects with a single key and a string value",
  );
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw refusal;
  }
  if (!Array.isArray(list)) throw refusal;
  return list.map((one: unknown) => {
    const [header, ...others] = Object.entries(typeof one === "object" && one !== null ? one : {});
    const [name = "", value] = header ?? [];
    if (others.length > 0 || typeof value !== "string" || !NAME.test(name) || !VALUE.test(value)) throw refusal;
    return [name, value];
  });
}
