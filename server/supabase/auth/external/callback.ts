import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { RequestError } from "../../../../shared/request-error.ts";
import type { AuthContext } from "../context.ts";
import { issueAuthCode, keepProviderTokens } from "../flow-state.ts";
import { type Device, deviceOf, type ProviderTokens } from "../grant.ts";
import type { OAuthState, Person } from "../providers/provider.ts";
import { requireProvider } from "../providers/providers.ts";
import { type Failure, withFailure, withSession } from "../redirect-result.ts";
import { withParameters } from "../redirects.ts";
import { renewSession } from "../refresh-tokens.ts";
import { openSession } from "../sessions.ts";
import { link } from "./identities.ts";
import { end, type OAuthPurpose } from "./oauth-state.ts";
import type { CallbackQuery } from "./requests.ts";
import { resolveAccount, unverified } from "./resolve-account.ts";

/** Providers' error codes for a cancelled sign-in. */
const CANCELLED = ["access_denied", "user_cancelled_authorize", "user_denied"];

/** Handles a browser's return from a provider. Resolves to the redirect URL of the app, with the result. */
export async function handleCallback(
  auth: AuthContext,
  request: FastifyRequest<{ Querystring: z.output<typeof CallbackQuery> }>,
  reply: FastifyReply,
): Promise<string> {
  const query = request.query;
  const finished = await end(auth, query.state, request.headers.cookie).catch(asRefusal);
  if (finished instanceof RequestError) return withFailure(auth.callbackUrl, failureOf(finished), true);
  const { purpose, oauthState, cookie } = finished;
  reply.header("set-cookie", cookie);
  const fail = (failure: Failure) => withFailure(purpose.redirectTo, failure, purpose.flowId !== null);
  if (query.error !== undefined) return fail(providerFailure(query.error, query.error_description));
  if (typeof query.code !== "string") {
    return fail(failureOf(new RequestError("bad_oauth_callback")));
  }
  const signIn = await fetchPerson(auth, purpose, oauthState, query).catch((error: unknown) => {
    request.log.warn(error);
    return undefined;
  });
  if (!signIn) {
    const description = `Unable to exchange external code with ${purpose.provider}`;
    return fail({ error: "server_error", error_code: "unexpected_failure", error_description: description });
  }
  const redirectUrl = await redirectWithResult(auth, purpose, signIn, deviceOf(request)).catch(asRefusal);
  return redirectUrl instanceof RequestError ? fail(failureOf(redirectUrl)) : redirectUrl;
}

interface ProviderSignIn {
  person: Person;
  tokens: ProviderTokens;
}

function fetchPerson(
  auth: AuthContext,
  { provider }: OAuthPurpose,
  oauthState: OAuthState,
  query: Record<string, unknown>,
) {
  const url = new URL(oauthState.redirectUri);
  for (const [name, value] of Object.entries(query)) if (typeof value === "string") url.searchParams.set(name, value);
  return requireProvider(auth.providers, provider).resolveAccount(url, oauthState);
}

/** Resolves to the redirect URL: with a code for a client that uses PKCE, otherwise with the session. */
async function redirectWithResult(
  auth: AuthContext,
  purpose: OAuthPurpose,
  { person, tokens }: ProviderSignIn,
  device: Device,
): Promise<string> {
  const { provider, redirectTo: to, flowId, sessionId } = purpose;
  if (person.email === undefined && sessionId === null) throw unverified(provider);
  const newcomer = { provider, person };
  return auth.db.transaction(async (tx) => {
    const userId =
      sessionId === null ? await resolveAccount(auth, tx, newcomer, device) : (await link(tx, sessionId, newcomer)).id;
    if (flowId !== null) {
      await keepProviderTokens(auth, tx, flowId, tokens);
      return withParameters(to, { code: await issueAuthCode(tx, flowId, userId) });
    }
    const grant =
      sessionId === null
        ? await openSession(auth, tx, userId, "oauth", device)
        : await renewSession(tx, auth.refreshSecret, sessionId);
    return withSession(auth.tokens, to, { ...grant, provider: tokens });
  });
}

function asRefusal(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  throw error;
}

const failureOf = ({ code, message }: RequestError): Failure => ({
  error: "invalid_request",
  error_code: code,
  error_description: message,
});

/** Returns the error for a provider's refusal. Its message is shown as plain text only. */
function providerFailure(error: string, description: string | undefined): Failure {
  if (CANCELLED.includes(error)) {
    return { error: "access_denied", error_code: "access_denied", error_description: "The sign-in was cancelled" };
  }
  const cleaned = (text: string) => text.replaceAll(/\p{Cc}/gu, " ").slice(0, 200);
  return {
    error: cleaned(error),
    error_code: "bad_oauth_callback",
    error_description: cleaned(description ?? "The provider refused the sign-in"),
  };
}
