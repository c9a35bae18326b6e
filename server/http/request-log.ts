import type { FastifyRequest, FastifyServerOptions } from "fastify";
import { pagePattern } from "../pages/page-patterns.ts";

type LogSettings = Exclude<NonNullable<FastifyServerOptions["logger"]>, boolean>;

interface LoggableError {
  name: string;
  message: string;
  stack?: string;
  code?: unknown;
}

/** The log's stream; standard output if absent. */
export interface LogStream {
  write(line: string): void;
}

/**
 * The logger's options: requests with the pattern of their route, and errors without the values that caused them.
 * `fields` are added to each line.
 */
export const requestLog = (level: string, stream?: LogStream, fields?: () => object): LogSettings => ({
  level,
  ...(stream && { stream }),
  ...(fields && { mixin: fields }),
  serializers: {
    req: (request: FastifyRequest) => ({ method: request.method, url: patternOf(request) }),
    // Drivers attach a statement's values to their errors, also to causes: neither is logged.
    err: ({ name, message, stack = "", code }: LoggableError) => ({
      type: name,
      message: withoutValues(message),
      stack: framesOf(stack),
      code,
    }),
    reason: (reason: unknown) => (typeof reason === "string" ? withoutValues(reason) : reason),
  },
  hooks: {
    logMethod(args, method) {
      const [first, message, ...rest] = args as [unknown, unknown, ...unknown[]];
      if (typeof first === "string") return method.call(this, withoutValues(first));
      // A line without a message gets its error's message.
      const text = message ?? (first instanceof Error ? first.message : undefined);
      if (typeof text === "string") return method.call(this, first, withoutValues(text), ...rest);
      method.call(this, first);
    },
  },
});

/** A request id that may be logged: short, and neither an address nor a sentence. */
export const requestIdOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" && /^[\w-]{8,64}$/.test(header) ? header : undefined;

/** The pattern of the route, e.g. `/storage/v1/object/:bucket/*`. */
export function patternOf({ routeOptions, url }: FastifyRequest): string {
  const pattern = routeOptions?.url;
  return pattern === undefined || pattern === "/*" ? pagePattern(url) : pattern;
}

/** The stack without its first lines, which repeat the message. */
const framesOf = (stack: string) =>
  stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");

const VALUES: [RegExp, string][] = [
  // Quoted names of tables, columns and settings are kept; other quoted text may be input.
  [/"(?![a-z_][a-z0-9_.]{0,62}")[^"]*"/g, '"…"'],
  [/[^\s"'<>()]+@[^\s"'<>()]+/g, "[address]"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "[token]"],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "[id]"],
  // Share ids, codes, keys and hashes.
  [/(?<![\w/.-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{10,}/g, "[id]"],
  [/(?<=[/=?&:])(?=[\w-]*\d)[\w-]{10,}/g, "[id]"],
  // But not ports, by which an operator recognises a program.
  [/(?<!\d|\/\/[^\s/:]*:|\b\d{1,3}\.\d{1,3}:|\blocalhost:|\]:|\bport )\+?\d(?: ?\d){3,}/gi, "[number]"],
];
/** Messages of PostgreSQL and `JSON.parse` that quote a refused value. */
const REFUSED_VALUE = /(invalid input|is not valid JSON|Unexpected token|out of range|Key \()/;

/** The part of a message that is logged, in characters. It may quote a refused value of megabytes. */
const LONGEST_MESSAGE = 2000;

/** A message without ids, tokens, PINs and addresses that it may quote. */
export function withoutValues(whole: string): string {
  const message = whole.length > LONGEST_MESSAGE ? `${whole.slice(0, LONGEST_MESSAGE)}…` : whole;
  const text = REFUSED_VALUE.test(message) ? message.replace(/"[^"]*"|'[^']*'|\([^)]*\)/g, "…") : message;
  return VALUES.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);
}
