import type { FastifyRequest } from "fastify";
import type { RequestSettings, ResponseSettings } from "../../database/database.ts";

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

/** Reads the settings of a response, which `rest.check_response` has checked. */
export const readResponse = ({ status, headers }: ResponseSettings): OwnResponse => ({
  ...(status ? { status: Number(status) } : {}),
  headers: headers ? (JSON.parse(headers) as Record<string, string>[]).flatMap((one) => Object.entries(one)) : [],
});
