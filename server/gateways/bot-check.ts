import { z } from "zod";

/** The result of verifying a token; the codes are the vendor's, e.g. `timeout-or-duplicate`. */
export type BotAnswer =
  | { verdict: "passed" | "refused"; codes: string[] }
  | { verdict: "none" /** Why there is no verdict, in the words of Spec §8. */; reason: string };

/** Verifies a token of a client at `address`; each token works once. Never rejects. */
export type BotCheck = (token: string, address?: string) => Promise<BotAnswer>;

export interface BotCheckSettings {
  /** The URL of `siteverify`'s parent, e.g. https://challenges.cloudflare.com/turnstile/v0. */
  baseUrl: string;
  secret: string;
  /** The timeout in milliseconds. */
  timeout?: number;
}

const Verdict = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

/** Calls the siteverify endpoint of Turnstile or of a compatible service at `baseUrl`. */
export function botCheck({ baseUrl, secret, timeout = 10_000 }: BotCheckSettings): BotCheck {
  return async (token, address) => {
    const form = new URLSearchParams({ secret, response: token, ...(address ? { remoteip: address } : {}) });
    try {
      const signal = AbortSignal.timeout(timeout);
      const reply = await fetch(`${baseUrl}/siteverify`, { method: "POST", body: form, signal });
      return answerOf(reply.status, await reply.text());
    } catch {
      return { verdict: "none", reason: "Network error during verification" };
    }
  };
}

function answerOf(status: number, body: string): BotAnswer {
  if (status === 401) return { verdict: "none", reason: "Verification service unauthorized" };
  if (status < 200 || status > 299) return { verdict: "none", reason: `Verification failed (${status})` };
  const parsed = Verdict.safeParse(jsonOf(body));
  if (!parsed.success) return { verdict: "none", reason: "Invalid response from verification service" };
  return { verdict: parsed.data.success ? "passed" : "refused", codes: parsed.data["error-codes"] };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
