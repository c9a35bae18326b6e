import type { FastifyReply, onSendAsyncHookHandler } from "fastify";
import type { Answer } from "../../database/database.ts";
import { RestError } from "./errors.ts";
import type { Preferences } from "./headers.ts";
import { type OwnResponse, readResponse } from "./settings.ts";

/** The properties of a response that its plan determines. */
export interface Reply {
  kind: "read" | "insert" | "change" | "put" | "value" | "void";
  contentType: string;
  preferences: Preferences;
  /** The preferences that apply, as in `Preference-Applied`. */
  applied: string[];
  offset: number;
  /** Whether the response states its range, because the request counts rows or asks for a part of them. */
  statesRange: boolean;
  /** Whether the range states the position of the rows. */
  positioned: boolean;
  /** The table's name, for the `Location` of a new row. */
  name: string;
}

const ranges = new WeakMap<FastifyReply, string>();

/** Sets `Content-Range`. Runs after compression, which takes such responses for byte ranges and skips them. */
export const addContentRange: onSendAsyncHookHandler = async (_request, reply, payload) => {
  const range = ranges.get(reply);
  if (range !== undefined) reply.header("content-range", range);
  return payload;
};

/** Sends a response. The statement's text is sent unchanged, and a long one without a string in between. */
export function sendAnswer(reply: FastifyReply, answer: Answer, as: Reply): FastifyReply {
  const { preferences } = as;
  if (as.applied.length > 0) reply.header("preference-applied", as.applied.join(", "));
  if (as.statesRange) ranges.set(reply, contentRange(answer, as));
  const silent = as.kind === "void" || (isWrite(as) && preferences.return !== "representation");
  if (as.kind === "insert" && preferences.return === "headers-only") addLocation(reply, answer, as.name);
  reply.code(statusOf(answer, as, silent));
  if (!silent) reply.header("content-type", as.contentType);
  if (answer.response) respondAsSet(reply, readResponse(answer.response));
  return silent ? reply.send() : reply.send(answer.body);
}

/** Sets the status and headers that a function or a trigger determined. The first of a name replaces the usual one. */
function respondAsSet(reply: FastifyReply, { status, headers }: OwnResponse) {
  if (status !== undefined) reply.code(status);
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  for (const [name, same] of values) reply.header(name, same.length > 1 ? same : same[0]);
}

const isWrite = ({ kind }: Reply) => kind === "insert" || kind === "change" || kind === "put";

function statusOf({ page, total }: Answer, { kind, offset }: Reply, silent: boolean): number {
  // The total of an upsert is the number of rows that did not exist before.
  if (kind === "insert") return total === 0 ? 200 : 201;
  if (silent) return 204;
  if (kind === "put") return total === 0 ? 200 : 201;
  if ((kind !== "read" && kind !== "value") || total === null) return 200;
  if (offset > total) {
    throw new RestError(
      416,
      "PGRST103",
      "Requested range not satisfiable",
      `An offset of ${offset} was requested, but there are only ${total} rows.`,
    );
  }
  return page < total ? 206 : 200;
}

function contentRange({ page, total }: Answer, as: Reply): string {
  const counted = isWrite(as) ? (as.preferences.count ? page : null) : total;
  const first = !as.positioned || page === 0 || counted === 0 ? "*" : `${as.offset}-${as.offset + page - 1}`;
  return `${first}/${counted ?? "*"}`;
}

/** Sets `Location` to the URL of a single new row, by its primary key. */
function addLocation(reply: FastifyReply, { body }: Answer, name: string) {
  const [row, ...others] = JSON.parse(body.toString()) as Record<string, unknown>[];
  if (!row || others.length > 0 || Object.keys(row).length === 0) return;
  const key = new URLSearchParams(Object.entries(row).map(([column, value]) => [column, `eq.${value}`]));
  reply.header("location", `/${encodeURIComponent(name)}?${key}`);
}
