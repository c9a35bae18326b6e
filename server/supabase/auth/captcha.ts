import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { RequestError } from "../../../shared/request-error.ts";
import type { Identify } from "../callers.ts";

export interface Captcha {
  /** Whether a request without a token is refused. A token that is present is always verified. */
  required: boolean;
  check(
    token: string,
    address: string,
  ): Promise<{ verdict: "passed" | "refused"; codes: string[] } | { verdict: "none"; reason: string }>;
}

const Body = z.object({ gotrue_meta_security: z.object({ captcha_token: z.string().trim().nullish() }).nullish() });
/** Upper limit of a token in characters: that of Turnstile, which has the longest tokens of the supported services. */
const LONGEST = 2048;

/** Refuses requests without a valid captcha token, with the hosted platform's message. The service is exempt. */
export async function checkCaptcha(
  { captcha, identify }: { captcha?: Captcha; identify: Identify },
  request: FastifyRequest,
): Promise<void> {
  if (!captcha || (await isService(identify, request))) return;
  const body = Body.safeParse(request.body);
  await checkCaptchaToken(captcha, (body.success && body.data.gotrue_meta_security?.captcha_token) || "", request.ip);
}

export async function checkCaptchaToken(captcha: Captcha, token: string, address: string): Promise<void> {
  if (!token) {
    if (captcha.required) throw refused("no captcha_token found");
    return;
  }
  if (token.length > LONGEST) throw refused("invalid-input-response");
  const answer = await captcha.check(token, address);
  if (answer.verdict === "none") throw new Error(`captcha verification process failed: ${answer.reason}`);
  if (answer.verdict === "refused") throw refused(answer.codes.join(", "));
}

const refused = (why: string) =>
  new RequestError("captcha_failed", { message: `captcha protection: request disallowed (${why})` });

/** Whether the service sent the request. Only the secret key proves it: other tokens may belong to a browser. */
async function isService(identify: Identify, { headers: { authorization } }: FastifyRequest): Promise<boolean> {
  if (authorization === undefined) return false;
  return identify({ authorization }).then(
    ({ role }) => role === "service_role",
    () => false,
  );
}
