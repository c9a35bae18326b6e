import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { EMAIL } from "../../../shared/credentials.ts";
import { Refusal } from "../../../shared/refusal.ts";

/** Larger than any account's data may be. */
const BODY_LIMIT = 64 * 1024;

/**
 * Reads bodies as JSON only: a page elsewhere can post plain text without asking first, so text is not taken for JSON.
 * An empty body is none, since the client names a type for it too.
 */
export function readJsonOnly(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string", bodyLimit: BODY_LIMIT }, (request, body, done) =>
    body === "" ? done(null, undefined) : parse(request, body as string, done),
  );
}

const optionalText = z.string().nullish();
const metadata = z.record(z.string(), z.unknown()).nullish();

const SignUpBody = z.object({ email: optionalText, phone: optionalText, password: optionalText, data: metadata });
const PasswordBody = z.object({ email: optionalText, phone: optionalText, password: optionalText });
const RefreshBody = z.object({ refresh_token: z.string().min(1) });
const UserBody = z.object({ email: optionalText, phone: optionalText, password: optionalText, data: metadata });
const LogoutQuery = z.object({ scope: z.enum(["global", "local", "others"]).default("global") });

/** The address by which an account is known: one of the two, in the form in which it is stored. */
export type Login = { email: string; phone?: undefined } | { phone: string; email?: undefined };

export function readSignUp(body: unknown) {
  const { data, ...given } = parse(SignUpBody, body);
  const { login, password } = readCredentials(given);
  return { login: checkLogin(login), password, data: data ?? {} };
}

export const readPasswordGrant = (body: unknown) => readCredentials(parse(PasswordBody, body));

export const readRefreshToken = (body: unknown) => parse(RefreshBody, body).refresh_token;

/** What a person may change of themselves (Spec §5); a key set to null is taken out of their metadata. */
export function readUserChange(body: unknown) {
  const { email, phone, password, data } = parse(UserBody, body);
  if (email || phone) throw new Refusal(422, "Only metadata and the password can be updated", "validation_failed");
  return { password: password ?? undefined, data: data ?? undefined };
}

export const readLogoutScope = (query: unknown) => parse(LogoutQuery, query).scope;

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".");
  throw new Refusal(400, `${where ? `${where}: ` : ""}${issue?.message ?? "Invalid request"}`, "validation_failed");
}

function readCredentials(given: z.output<typeof PasswordBody>): { login: Login; password: string } {
  const { email, phone, password } = given;
  if ((!email && !phone) || !password) {
    throw new Refusal(400, "You must provide either an email or phone number and a password", "validation_failed");
  }
  if (email && phone) {
    throw new Refusal(400, "Only an email address or phone number should be provided", "validation_failed");
  }
  // Spaces and the leading plus are how people write a number, not part of it.
  const login = email ? { email: email.trim().toLowerCase() } : { phone: String(phone).replaceAll(/[\s+]/g, "") };
  return { login, password };
}

function checkLogin(login: Login): Login {
  if (login.email !== undefined && (!EMAIL.test(login.email) || login.email.length > 254)) {
    throw new Refusal(400, "Unable to validate email address: invalid format", "validation_failed");
  }
  if (login.phone !== undefined && !/^[1-9]\d{6,14}$/.test(login.phone)) {
    throw new Refusal(400, "Invalid phone number format (E.164 required)", "validation_failed");
  }
  return login;
}
