import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { RequestError } from "../../../shared/request-error.ts";
import { readBoundedJson } from "../request-bounds.ts";

/** Upper limit of a body in bytes; larger than any account's data may be. */
const BODY_LIMIT = 64 * 1024;

/** Accepts JSON bodies only, because other sites can post plain text without a CORS preflight. */
export function readJsonOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  readBoundedJson(app, BODY_LIMIT);
}

export const optionalText = z.string().nullish();
/** User metadata, which the user sets, or app metadata, which the service sets. */
export const metadata = z.record(z.string(), z.unknown()).nullish();

/** Returns the error for a value that does not fit its schema. It names the first problem. */
export function misfit([issue]: z.core.$ZodIssue[]) {
  const where = issue?.path.join(".");
  return invalid(`${where ? `${where}: ` : ""}${issue?.message ?? "Invalid request"}`);
}

/** Parses a value whose schema depends on other values. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw misfit(parsed.error.issues);
}

/** Returns the schema of a UUID in a path. An invalid one is refused with the protocol's error code. */
export const uuidInPath = (name: string) =>
  z.guid().catch(() => {
    throw invalid(`${name} must be an UUID`, 404);
  });

export const invalid = (message: string, status = 400) => new RequestError("validation_failed", { message, status });
