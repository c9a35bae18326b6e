import { normalizeIP } from "@fastify/rate-limit";
import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** The vendor's maximum length of a token. */
const Body = z.object({ token: z.string().trim().min(1).max(2048) });
/** Requests per address in five minutes: each costs a request to the vendor. */
const QUESTIONS = 60;

/**
 * POST /.netlify/functions/verify-turnstile: verifies the widget's `token`. Responds with `{ success, error-codes,
 * error }`: 200 with a verdict, 400 without a token, 502 if the vendor gives no verdict. A token is valid once, so a
 * token that was verified here is refused by auth/v1, which verifies tokens itself.
 */
export const verifyTurnstile = endpoint(
  { needs: "botCheck", ownPagesOnly: true, caller: "unidentified" },
  async ({ botCheck, limits, request, address }) => {
    const body = Body.safeParse(await request.json().catch(() => undefined));
    if (!body.success) return failure(400, "No token provided");
    await limits.spend([{ key: `bot-check from ${normalizeIP(address)}`, most: QUESTIONS, seconds: 300 }]);

    const answer = await botCheck(body.data.token, address);
    if (answer.verdict === "none") return failure(502, answer.reason);
    if (answer.verdict === "refused") {
      return failure(200, `Security check failed: ${answer.codes.join(", ")}`, answer.codes);
    }
    return { success: true, "error-codes": [] };
  },
);

const failure = (status: number, error: string, codes: string[] = []) =>
  Response.json({ success: false, "error-codes": codes, error }, { status });
