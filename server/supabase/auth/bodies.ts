import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { RequestError } from "../../../shared/request-error.ts";
import { readBoundedJson } from "../request-bounds.ts";

/** Larger than any account's data may be. */
const BODY_LIMIT = 64 * 1024;

/**
 * Reads bodies as JSON only: a page elsewhere can post plain text without asking first, so text is not taken for JSON.
 */
export function readJsonOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  readBoundedJson(app, BODY_LIMIT);
}

export const optionalText = z.string().nullish();
/** What people tell about themselves, and what the service notes about them. */
export const metadata = z.record(z.string(), z.unknown()).nullish();

/** What was given, in the shape asked for; refuses with what is wrong. */
export function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".");
  throw invalid(`${where ? `${where}: ` : ""}${issue?.message ?? "Invalid request"}`);
}

export const invalid = (message: string, status = 400) => new RequestError("validation_failed", { message, status });
