import { z } from "zod";
import { RequestError } from "../../../shared/request-error.ts";
import { invalid, metadata, optionalText, parse } from "./bodies.ts";
import type { Challenge } from "./flow-state.ts";
import { checkEmail, checkLogin, checkPhone, type Login, readLogin } from "./logins.ts";

/** Loose, because message requests also contain a redirect and a captcha token. */
const CredentialsBody = z.looseObject({ email: optionalText, phone: optionalText, password: optionalText });
export const SignUpBody = CredentialsBody.extend({ data: metadata });
export const UserBody = SignUpBody.extend({ nonce: optionalText });
const RefreshBody = z.object({ refresh_token: z.string().min(1) });
const CodeGrantBody = z.object({ auth_code: z.string().min(1), code_verifier: z.string().min(1) });
export const LogoutQuery = z.object({ scope: z.enum(["global", "local", "others"]).default("global") });

export function readSignUp({ data, ...credentials }: z.output<typeof SignUpBody>) {
  // The client's request for an anonymous account has none of these fields; a form that was sent empty has.
  if ([credentials.email, credentials.phone, credentials.password].every((field) => field == null))
    throw new RequestError("anonymous_provider_disabled");
  const { login, password } = readCredentials(credentials);
  return { login: checkLogin(login), password, data: data ?? {} };
}

export const readPasswordGrant = (body: unknown) => readCredentials(parse(CredentialsBody, body));

export const readRefreshToken = (body: unknown) => parse(RefreshBody, body).refresh_token;

export function readCodeGrant(body: unknown) {
  const { auth_code, code_verifier } = parse(CodeGrantBody, body);
  return { code: auth_code, verifier: code_verifier };
}

/** Reads the account fields that a person may change (Spec §5). A null value removes its key from the metadata. */
export function readUserChange({ email, phone, password, data, nonce }: z.output<typeof UserBody>) {
  return {
    email: email ? checkEmail(email) : undefined,
    phone: phone ? checkPhone(phone) : undefined,
    password: password ?? undefined,
    data: data ?? undefined,
    nonce: nonce || undefined,
  };
}

function readCredentials(body: z.output<typeof CredentialsBody>): { login: Login; password: string } {
  const missing = "You must provide either an email or phone number and a password";
  const login = readLogin(body, missing);
  if (!body.password) throw invalid(missing);
  return { login, password: body.password };
}

export const OtpBody = z.looseObject({
  email: optionalText,
  phone: optionalText,
  create_user: z.boolean().nullish(),
  data: metadata,
});

export function readOtp({ create_user, data, ...credentials }: z.output<typeof OtpBody>) {
  const login = checkLogin(readLogin(credentials, "You must provide either an email or phone number."));
  return { login, createUser: create_user ?? true, data: data ?? {} };
}

export const RecoveryBody = z.looseObject({ email: optionalText });

export function readRecovery({ email }: z.output<typeof RecoveryBody>): Login {
  if (!email) throw invalid("Password recovery requires an email");
  return { email: checkEmail(email) };
}

export const ResendBody = z.looseObject({
  type: z.enum(["signup", "email_change", "sms", "phone_change"]),
  email: optionalText,
  phone: optionalText,
});

export function readResend({ type, ...body }: z.output<typeof ResendBody>) {
  const login = checkLogin(readLogin(body, "You must provide either an email or phone number and a type"));
  if ((login.email === undefined) !== (type === "sms" || type === "phone_change")) {
    throw invalid("The type of message does not fit the address");
  }
  return { type, login };
}

// RFC 7636; the client falls back to `plain` if the browser has no SHA-256.
const ChallengeBody = z.object({
  code_challenge: z.string().regex(/^[\w.~-]{43,128}$/),
  code_challenge_method: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["s256", "plain"])),
});

/** Reads the PKCE challenge, if the client sent one. */
export function readChallenge(body: unknown): Challenge | undefined {
  const fields = body as { code_challenge?: unknown; code_challenge_method?: unknown } | null | undefined;
  if (!fields?.code_challenge && !fields?.code_challenge_method) return undefined;
  const { code_challenge, code_challenge_method } = parse(ChallengeBody, fields);
  return { challenge: code_challenge, method: code_challenge_method };
}

/** Returns the redirect of links, not yet checked. */
export const readRedirect = (query: unknown, body?: unknown): unknown =>
  (query as { redirect_to?: unknown }).redirect_to ?? (body as { redirect_to?: unknown } | null)?.redirect_to;
