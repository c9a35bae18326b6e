import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { RequestError } from "../../../shared/request-error.ts";
import { isHiddenLoad } from "../foreign-pages.ts";
import type { Routes } from "../route-schemas.ts";
import type { AuthContext } from "./context.ts";
import { handleCallback } from "./external/callback.ts";
import { IdentityParams, requireMayLink, unlink } from "./external/identities.ts";
import { begin, newOAuthState } from "./external/oauth-state.ts";
import { AuthorizeQuery, CallbackQuery, readAuthorize } from "./external/requests.ts";
import { openFlow } from "./flow-state.ts";
import { perAddress } from "./limits.ts";
import { requireProvider } from "./providers/providers.ts";
import { redirectTo, withParameters } from "./redirects.ts";
import { readChallenge, readRedirect } from "./requests.ts";
import type { SignedIn } from "./signed-in.ts";

/** The form fields of a provider's callback. No other fields are copied into the redirect URL. */
const CALLBACK_PARAMETERS = ["state", "code", "iss", "user", "error", "error_description"];
const FORM_LIMIT = 16 * 1024;

/** Registers the routes for sign-in with accounts at other providers, and for linking such accounts. */
export function externalRoutes(app: Routes, auth: AuthContext) {
  // No HEAD routes: link previews must not start a flow.
  const { rateLimit } = perAddress("provider", auth.triesPerAddress);
  // What pages of other sites load is refused without being counted. An app's own call carries a session.
  const allowList = (request: FastifyRequest) => isHiddenLoad(request) && request.headers.authorization === undefined;
  const limited = { config: { rateLimit: { ...rateLimit, allowList } }, exposeHeadRoute: false };

  const schema = { querystring: AuthorizeQuery };
  app.get("/authorize", { ...limited, preValidation: refuseHidden, schema }, async (request, reply) =>
    authorize(auth, request, reply),
  );

  const callback = { ...limited, preValidation: refuseHidden };
  app.get("/callback", { ...callback, schema: { querystring: CallbackQuery } }, async (request, reply) =>
    reply.redirect(await handleCallback(auth, request, reply), 303),
  );

  app.register(async (form) => {
    form.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    // Apple returns by a form POST, which carries no cookie. The redirect turns it into a GET, which carries it.
    form.post<{ Body: Record<string, string> | null }>("/callback", callback, async (request, reply) => {
      const returned = Object.entries(request.body ?? {}).filter(([name]) => CALLBACK_PARAMETERS.includes(name));
      return reply.redirect(withParameters(`${auth.url}/callback`, Object.fromEntries(returned)), 303);
    });
  });

  const { requireSession: preValidation } = auth;
  app.get("/user/identities/authorize", { ...limited, preValidation, schema }, async (request, reply) => {
    const person = await auth.signedIn(request);
    requireMayLink(person);
    return authorize(auth, request, reply, person);
  });

  app.delete("/user/identities/:identityId", { preValidation, schema: { params: IdentityParams } }, async (request) => {
    const person = await auth.signedIn(request);
    await unlink(auth, person, request.params.identityId);
    return {};
  });
}

/** Refuses a sign-in that the person cannot see: in an image, a frame or a script of another site. */
async function refuseHidden(request: FastifyRequest) {
  if (!isHiddenLoad(request)) return;
  throw new RequestError("validation_failed", { message: "A sign-in begins in a page of its own", status: 403 });
}

/** Redirects a browser to a provider: for sign-in or, if `person` is given, to link the provider's account. */
async function authorize(
  auth: AuthContext,
  request: FastifyRequest<{ Querystring: z.output<typeof AuthorizeQuery> }>,
  reply: FastifyReply,
  person?: SignedIn,
) {
  const { provider, wishes, asJson } = readAuthorize(request.query);
  const redirect = readRedirect(request.query) || auth.callbackUrl;
  const purpose = { provider, redirectTo: redirectTo(auth.redirects, redirect), sessionId: person?.session_id ?? null };
  const challenge = readChallenge(request.query);
  const { id, oauthState, cookie } = newOAuthState(auth);
  const url = await requireProvider(auth.providers, provider).authorizationUrl(oauthState, wishes);
  await auth.db.transaction(async (tx) => {
    const flow = { provider, authenticationMethod: "oauth", sessionId: person?.session_id };
    const flowId = challenge ? await openFlow(tx, { ...challenge, ...flow }) : null;
    await begin(tx, id, { ...purpose, flowId });
  });
  reply.header("set-cookie", cookie);
  return asJson ? { url: url.href } : reply.redirect(url.href, 302);
}
