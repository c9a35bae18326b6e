import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { AuthContext } from "../context.ts";
import { openFlow } from "../flow-state.ts";
import { requireProvider } from "../providers/providers.ts";
import { redirectTo } from "../redirects.ts";
import { readChallenge, readRedirect } from "../requests.ts";
import type { SignedIn } from "../signed-in.ts";
import { begin, newOAuthState } from "./oauth-state.ts";
import { type AuthorizeQuery, readAuthorize } from "./requests.ts";

/** Redirects a browser to a provider, for sign-in or, with a session, to link that account. */
export async function authorize(
  auth: AuthContext,
  request: FastifyRequest<{ Querystring: z.output<typeof AuthorizeQuery> }>,
  reply: FastifyReply,
  person?: SignedIn,
) {
  const { provider, wishes, asJson } = readAuthorize(request.query);
  const wanted = readRedirect(request.query) || auth.callbackUrl;
  const errand = { provider, redirectTo: redirectTo(auth.redirects, wanted), sessionId: person?.session_id ?? null };
  const challenge = readChallenge(request.query);
  const { id, oauthState, cookie } = newOAuthState(auth);
  const url = await requireProvider(auth.providers, provider).authorizationUrl(oauthState, wishes);
  await auth.db.transaction(async (tx) => {
    const flow = { provider, authenticationMethod: "oauth", sessionId: person?.session_id };
    const flowId = challenge ? await openFlow(tx, { ...challenge, ...flow }) : null;
    await begin(tx, id, { ...errand, flowId });
  });
  reply.header("set-cookie", cookie);
  return asJson ? { url: url.href } : reply.redirect(url.href, 302);
}
