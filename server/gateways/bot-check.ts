import { z } from "zod";

/** What became of asking about a token; the codes are the vendor's own, as `timeout-or-duplicate`. */
export type BotAnswer =
  | { verdict: "passed" | "refused"; codes: string[] }
  | { verdict: "none" /** Why there is none, in the words of Spec §8. */; reason: string };

/** Asks about a token that the widget gave somebody at `address`; a token is good once. Never rejects. */
export type BotCheck = (token: string, address?: string) => Promise<BotAnswer>;

export interface BotCheckSettings {
  /** Where `siteverify` is, as https://challenges.cloudflare.com/turnstile/v0. */
  baseUrl: string;
  secret: string;
  /** How long the vendor may take, in milliseconds. */
  timeout?: number;
}

const Verdict = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

/** Asks Turnstile's siteverify, or whatever else speaks its format at `baseUrl`. */
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
