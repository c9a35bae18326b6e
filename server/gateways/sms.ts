import { z } from "zod";

export interface SmsSettings {
  accountSid: string;
  authToken: string;
  /** The sender's number. */
  from: string;
  /** Replaces https://api.twilio.com. */
  baseUrl?: string;
}

/** The gateway's answer. Refusals that are not final may be accepted later. */
export type SmsAnswer = { accepted: true } | { accepted: false; final: boolean; reason: string };

/** Sends `text` to a number in E.164 form, e.g. +441632960000. */
export type Sms = (to: string, text: string) => Promise<SmsAnswer>;

/** Sends text messages by Twilio's HTTP API. Never rejects. */
export function sms({ accountSid, authToken, from, baseUrl = "https://api.twilio.com" }: SmsSettings): Sms {
  const url = `${baseUrl.replace(/\/+$/, "")}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;

  return async (to, text) => {
    try {
      const reply = await fetch(url, {
        method: "POST",
        headers: { accept: "application/json", authorization },
        body: new URLSearchParams({ To: to, From: from, Body: text }),
        // The text may hold a code, which no other host gets.
        redirect: "error",
        signal: AbortSignal.timeout(30_000),
      });
      const body = await reply.text();
      if (reply.ok) return { accepted: true };
      return { accepted: false, final: isFinal(reply.status), reason: reasonOf(body) ?? `HTTP ${reply.status}` };
    } catch (error) {
      return { accepted: false, final: false, reason: causeOf(error) };
    }
  };
}

/** A 400 concerns this message (number, text). Other errors (credentials, limits, outages) concern us or the vendor. */
const isFinal = (status: number) => status === 400;

const Refusal = z.object({ message: z.string() });

/** The vendor's reason in a refusal; undefined if something between us and the vendor answered. */
function reasonOf(body: string): string | undefined {
  try {
    return Refusal.safeParse(JSON.parse(body)).data?.message;
  } catch {
    return undefined;
  }
}

/** `fetch` tells only in the cause what failed. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
