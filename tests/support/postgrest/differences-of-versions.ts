import { canonical } from "./compare.ts";
import { isError, type Kind, NOT_IN_ROWS } from "./kind.ts";

const VERSION = "PostgREST changed it in";

/** Kinds that are changes between the compared PostgREST and that of the hosted platform. */
export const KINDS_OF_VERSIONS: Record<string, Kind> = {
  "spread lists": {
    reason: `${VERSION} 13.0: they are spread as lists of values`,
    applies: (_, __, their) => their.code === "PGRST119",
  },
  "empty relations within others": {
    reason: `${VERSION} 12.2.2: they are left out`,
    applies: ({ request, ours, theirs }, _, their) =>
      (their.code === "42703" || (ours.status < 300 && theirs.status < 300)) && /\(.*\(\)/.test(request.path),
  },
  "order of changed rows": {
    reason: `${VERSION} 13.0: order applies to changed rows`,
    applies: ({ request, ours, theirs }, own) =>
      !["GET", "HEAD"].includes(request.method) &&
      request.path.includes("order=") &&
      (["42703", "42883"].includes(own.code ?? "") ||
        canonical(`[${ours.body}]`, false) === canonical(`[${theirs.body}]`, false)),
  },
  "statuses of SQLSTATEs": {
    reason: `${VERSION} 12.0.3: the status`,
    parts: ["status"],
    applies: (_, own, their) => ["42P17", "54000"].some((code) => isError(code)(own, their)),
  },
  PGRST116: {
    reason: `${VERSION} 13.0: the message`,
    parts: ["message"],
    applies: (_, own, their) => isError("PGRST116")(own, their),
  },
  PGRST107: {
    reason: `${VERSION} 12.0.3: the status`,
    parts: ["status"],
    applies: (_, own, their) => isError("PGRST107")(own, their),
  },
  PGRST204: {
    reason: `${VERSION} 12.0.3: the message`,
    parts: ["message"],
    applies: (_, own, their) => isError("PGRST204")(own, their),
  },
  "21000": {
    reason: `${VERSION} 12.0.3: the status`,
    parts: ["status"],
    applies: (_, own, their) => isError("21000")(own, their),
  },
  PGRST205: {
    reason: `${VERSION} 13.0: the error for a table that does not exist`,
    applies: (_, own) => own.code === "PGRST205",
  },
  "text search": {
    reason: `${VERSION} 13.0: to_tsvector() is applied to every other type than tsvector`,
    applies: ({ request }, _, their) => /fts/.test(request.path) && their.code === "42883",
  },
  "filters of functions": {
    reason: `${VERSION} 13.0: filters and order by columns that are not selected`,
    applies: ({ request }, _, their) =>
      request.path.startsWith("/rpc/") && request.path.includes("select=") && NOT_IN_ROWS.includes(their.code ?? ""),
  },
  not_null: {
    reason: `${VERSION} 13.0: the value not_null of is`,
    applies: ({ request }, _, their) => request.path.includes("not_null") && their.code === "PGRST100",
  },
  "arguments of JSON in a URL": {
    reason: `${VERSION} a later version than 12.0.2: they are the JSON value, not a text`,
    parts: ["body"],
    applies: ({ request, ours, theirs }) =>
      request.method !== "POST" && /^\/rpc\/typed\?(.*&)?e=/.test(request.path) && ours.status === theirs.status,
  },
  "max-affected": {
    reason: `${VERSION} 12.2: the preference`,
    applies: ({ request }, _, their) => /max-affected/.test(request.headers.prefer ?? "") && their.code === "PGRST122",
  },
};
