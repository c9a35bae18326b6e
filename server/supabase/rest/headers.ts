import { notSupported, RestError } from "./errors.ts";

/** The content of a `Prefer` header. */
export interface Preferences {
  return?: "minimal" | "representation" | "headers-only";
  count: boolean;
  resolution?: "merge-duplicates" | "ignore-duplicates";
  /** Whether a column that a row omits gets its default rather than null. */
  missingDefault: boolean;
  maxAffected?: number;
  /** The preferences as sent, e.g. `count=exact`, by name. */
  sent: Map<string, string>;
}

/** The preferences that apply to each kind of request. */
const APPLICABLE = {
  read: ["count", "handling"],
  insert: ["resolution", "missing", "return", "count", "handling"],
  update: ["missing", "return", "count", "handling", "max-affected"],
  put: ["return", "count", "handling"],
  delete: ["return", "count", "handling", "max-affected"],
  call: ["count", "handling", "max-affected"],
};

/** Returns the content of `Preference-Applied` for a kind of request. */
export const appliedPreferences = ({ sent }: Preferences, kind: keyof typeof APPLICABLE): string[] =>
  APPLICABLE[kind]
    // Without strict handling, the number of rows has no limit.
    .filter((name) => sent.has(name) && (name !== "max-affected" || sent.get("handling") === "strict"))
    .map((name) => `${name}=${sent.get(name)}`);

const KNOWN: Record<string, RegExp> = {
  return: /^(minimal|representation|headers-only)$/,
  count: /^(exact|planned|estimated)$/,
  resolution: /^(merge|ignore)-duplicates$/,
  missing: /^(default|null)$/,
  handling: /^(strict|lenient)$/,
  "max-affected": /^\d{1,9}$/,
  // The hosted platform accepts it too, and always commits.
  tx: /^(commit|rollback)$/,
};

/** Reads `Prefer`; ignores unknown preferences, or refuses them with `handling=strict`. */
export function readPreferences(header: string | undefined): Preferences {
  const preferences = new Map<string, string>();
  const unknown: string[] = [];
  for (const part of (header ?? "").split(",").map((one) => one.trim())) {
    const [name = "", value = ""] = part.split("=");
    if (Object.hasOwn(KNOWN, name) && KNOWN[name]?.test(value)) preferences.set(name, preferences.get(name) ?? value);
    else if (part !== "") unknown.push(part);
  }
  const strict = preferences.get("handling") === "strict";
  if (strict && unknown.length > 0) {
    throw new RestError(
      400,
      "PGRST122",
      "Invalid preferences given with handling=strict",
      `Invalid preferences: ${unknown.join(", ")}`,
    );
  }
  const most = preferences.get("max-affected");
  return {
    return: preferences.get("return") as Preferences["return"],
    count: preferences.has("count"),
    resolution: preferences.get("resolution") as Preferences["resolution"],
    missingDefault: preferences.get("missing") === "default",
    maxAffected: strict && most !== undefined ? Number(most) : undefined,
    sent: preferences,
  };
}

/** The format of a response. */
export interface Format {
  /** `first` is the one row or value that a function without a set returns, or null if a filter excludes it. */
  shape: "array" | "object" | "first" | "csv";
  withoutNulls: boolean;
  contentType: string;
}

/** Returns the supported format in `Accept` with the highest quality, and the first of several. */
export function readFormat(header: string | undefined): Format {
  const quality = (options: string[]) =>
    Number(/^q=(.*)$/.exec(options.findLast((one) => one.startsWith("q=")) ?? "")?.[1] ?? 1);
  const types = (header ?? "*/*")
    .split(",")
    .map((part) => part.split(";").map((one) => one.trim().toLowerCase()))
    .toSorted(([, ...one], [, ...other]) => quality(other) - quality(one));
  for (const [type = "", ...options] of types) {
    const withoutNulls = options.includes("nulls=stripped");
    const format = (shape: Format["shape"], contentType: string, strips = false): Format => ({
      shape,
      withoutNulls: strips,
      contentType: `${contentType}${strips ? ";nulls=stripped" : ""}; charset=utf-8`,
    });
    if (["*/*", "application/json"].includes(type)) return format("array", "application/json");
    if (type === "application/vnd.pgrst.array+json" || type === "application/vnd.pgrst.array") {
      return withoutNulls
        ? format("array", "application/vnd.pgrst.array+json", true)
        : format("array", "application/json");
    }
    if (type === "application/vnd.pgrst.object+json" || type === "application/vnd.pgrst.object") {
      return format("object", "application/vnd.pgrst.object+json", withoutNulls);
    }
    if (type === "text/csv") return format("csv", type);
  }
  throw new RestError(406, "PGRST107", `None of these media types are available: ${header}`);
}

/** The largest offset of the database. */
const LAST_OFFSET = 2n ** 63n - 1n;

/** Reads `Range: 5-9` as limit and offset. Returns undefined for anything else, so that the parameters apply. */
export function readRange(header: string | undefined): { limit?: number; offset: number } | undefined {
  const [, from, to] = /^(\d+)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === undefined) return undefined;
  if (BigInt(from) > LAST_OFFSET) {
    throw new RestError(400, "22003", `value "${from}" is out of range for type bigint`);
  }
  const offset = Number(from);
  if (!to) return { offset };
  if (Number(to) < offset) {
    throw new RestError(
      416,
      "PGRST103",
      "Requested range not satisfiable",
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  }
  return { offset, limit: Number(to) - offset + 1 };
}

/** Refuses a request for another schema than `public`, which is the only one. */
export function checkProfile(profile: string | undefined) {
  if (profile === undefined || profile === "public") return;
  throw notSupported("This server does not offer other schemas than public.", 406);
}
