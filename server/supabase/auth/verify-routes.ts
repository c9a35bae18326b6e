import { z } from "zod";
import { RequestError } from "../../../shared/request-error.ts";
import { typedCode } from "../../../shared/typed-text.ts";
import type { Routes } from "../route-schemas.ts";
import { invalid, optionalText } from "./bodies.ts";
import { checkCaptcha } from "./captcha.ts";
import type { AuthContext } from "./context.ts";
import { deviceOf, sessionJson } from "./grant.ts";
import { perAddress } from "./limits.ts";
import { checkLogin, type Login, readLogin } from "./logins.ts";
import { readMessageRequest } from "./message-request.ts";
import { FLOW_PREFIX, type TokenType } from "./one-time-tokens.ts";
import { padDuration } from "./pad-duration.ts";
import { withFailure, withSession } from "./redirect-result.ts";
import { redirectTo, withFragment, withHash, withParameters } from "./redirects.ts";
import { OtpBody, RecoveryBody, ResendBody, readOtp, readRecovery, readRedirect, readResend } from "./requests.ts";
import { resendMessage, sendCode, sendRecovery } from "./send-code.ts";
import { BY_MAIL, BY_SMS, followLink, previewLink, typeCode, type Verified } from "./verify.ts";

const HALF = "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/** Registers the routes that send messages with links and codes, and those that verify them. */
export function verifyRoutes(app: Routes, auth: AuthContext) {
  const asking = perAddress("message", auth.triesPerAddress);
  const guessing = perAddress("verify", auth.triesPerAddress);

  app.post("/otp", { config: asking, schema: { body: OtpBody } }, async (request) => {
    const [otp, message] = [readOtp(request.body), readMessageRequest(auth, request)];
    await checkCaptcha(auth, request);
    await padDuration(() => sendCode(auth, otp, message));
    return {};
  });

  app.post("/recover", { config: asking, schema: { body: RecoveryBody } }, async (request) => {
    const [login, message] = [readRecovery(request.body), readMessageRequest(auth, request)];
    await checkCaptcha(auth, request);
    await padDuration(() => sendRecovery(auth, login, message));
    return {};
  });

  app.post("/resend", { config: asking, schema: { body: ResendBody } }, async (request) => {
    const [resend, message] = [readResend(request.body), readMessageRequest(auth, request)];
    // No captcha: an address change needs a session, which needed one at sign-in.
    if (resend.type === "signup" || resend.type === "sms") await checkCaptcha(auth, request);
    await padDuration(() => resendMessage(auth, resend, message));
    return {};
  });

  app.post("/verify", { config: guessing, schema: { body: VerifyBody } }, async (request) => {
    const presented = readVerification(request.body);
    const verified =
      "link" in presented
        ? await followLink(auth, { ...presented, opened: false }, deviceOf(request))
        : await typeCode(auth, presented, deviceOf(request));
    if (verified === "half") return { msg: HALF, code: "200" };
    if ("grant" in verified) return sessionJson(auth.tokens, verified.grant);
    throw new Error("A code for nobody");
  });

  // Mail gateways, previews and prefetching browsers open links: this changes nothing. The token is in the fragment of
  // the page's URL, which browsers send to no server.
  app.get("/verify", { schema: { querystring: VerifyBody } }, async (request, reply) => {
    const { type, link } = readLink(request.query);
    const to = redirectTo(auth.redirects, readRedirect(request.query));
    return reply.redirect(withHash(auth.linkPage, { token: link, type, redirect_to: to }), 303);
  });

  app.post("/verify/link/state", { config: guessing, schema: { body: VerifyBody } }, async (request) => {
    const { types, link } = readLink(request.body);
    return previewLink(auth, { types, link, challenge: request.body.code_challenge ?? undefined });
  });

  // What a link does. The result is the URL to which the page of the link goes on, with the session, code or error
  // where a client reads it.
  app.post("/verify/link", { config: guessing, schema: { body: VerifyBody } }, async (request) => {
    const { type, types, link } = readLink(request.body);
    const to = redirectTo(auth.redirects, readRedirect({}, request.body));
    const verified = await followLink(auth, { link, types, opened: true }, deviceOf(request)).catch(
      (error: unknown) => {
        if (error instanceof RequestError) return error;
        throw error;
      },
    );
    return { redirect_to: await redirectWithResult(auth, to, verified, { type, link }) };
  });
}

/** Resolves to the final redirect of a link: the web app's URL, with the result where its client reads it. */
async function redirectWithResult(
  auth: AuthContext,
  to: string,
  verified: Verified | RequestError,
  { type, link }: { type: string; link: string },
): Promise<string> {
  if (verified instanceof RequestError) {
    const error = {
      error: "access_denied",
      error_code: verified.code,
      error_description: verified.message,
    };
    return withFailure(to, error, link.startsWith(FLOW_PREFIX));
  }
  if (verified === "half") return withFragment(to, { message: HALF });
  if ("authCode" in verified) return withParameters(to, { code: verified.authCode });
  return withSession(auth.tokens, to, verified.grant, { type });
}

const VerifyBody = z.looseObject({
  type: optionalText,
  token: optionalText,
  token_hash: optionalText,
  email: optionalText,
  phone: optionalText,
  code_challenge: optionalText,
});

type Presented = { type: string; types: readonly TokenType[] } & ({ link: string } | { code: string; login: Login });

/** Reads a verification request: a link's token alone, or a code with its address. */
function readVerification({ type, token, token_hash, email, phone }: z.output<typeof VerifyBody>): Presented {
  if (!type) throw invalid("Verify requires a verification type");
  if (!token && !token_hash) throw invalid("Verify requires a token or a token hash");
  if (token_hash) {
    if (token || email || phone) throw invalid("Only the token_hash and type should be provided");
    return { type, types: typesOf(BY_MAIL, type), link: token_hash };
  }
  const login = checkLogin(
    readLogin({ email, phone }, "Only an email address or phone number should be provided on verify"),
  );
  const types = login.email === undefined ? typesOf(BY_SMS, type) : typesOf(BY_MAIL, type);
  return { type, types, login, code: typedCode(token ?? "") };
}

/** Reads the parameters of a link. */
function readLink({ type, token, token_hash }: z.output<typeof VerifyBody>) {
  const link = token || token_hash;
  if (!link) throw invalid("Verify requires a token or a token hash");
  if (!type) throw invalid("Verify requires a verification type");
  return { type, types: typesOf(BY_MAIL, type), link };
}

function typesOf(typesByName: Record<string, readonly TokenType[]>, type: string): readonly TokenType[] {
  const types = Object.hasOwn(typesByName, type) ? typesByName[type] : undefined;
  if (!types) throw invalid("Invalid verification type");
  return types;
}
