import { type Agent, request } from "node:https";

/** The key by which push services know this installation (RFC 8292), both halves in base64url. */
export interface PushKey {
  publicKey: string;
  privateKey: string;
}

/** A device's subscription, as its browser made it (RFC 8030 and 8291). */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The push service's answer. `gone`: the device has no such subscription any more. Refusals that are not final may be accepted later. */
export type PushAnswer =
  | { accepted: true }
  | { accepted: false; gone: true }
  | { accepted: false; gone?: false; final: boolean; reason: string };

/** Sends a message to a device, by the push service of its browser. Never rejects. */
export type Push = (target: PushTarget, message: object, signal: AbortSignal) => Promise<PushAnswer>;

/** How long a push service keeps a message for a device that is switched off, in seconds. */
const KEPT_SECONDS = 86_400;

interface PushSettings {
  key: PushKey;
  /** The address of this site, or `mailto:`, for the push service's operators. */
  contact: string;
  /** Replaces Node's agent for https. */
  agent?: Agent;
}

/** Sends notifications by Web Push: encrypted for the device, and signed with the installation's key. */
export const push =
  ({ key, contact, agent }: PushSettings): Push =>
  async ({ endpoint, p256dh, auth }, message, signal) => {
    try {
      // Loaded with the first message, because most starts send none.
      const { default: webPush } = await import("web-push");
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(message),
        {
          vapidDetails: { subject: contact, ...key },
          TTL: KEPT_SECONDS,
          urgency: "normal",
          contentEncoding: "aes128gcm",
        },
      );
      return answerOf(await post(endpoint, { headers, body, agent, signal }));
    } catch (error) {
      return { accepted: false, final: false, reason: error instanceof Error ? error.message : String(error) };
    }
  };

interface Posted {
  headers: Record<string, string>;
  body: Buffer | null;
  agent: Agent | undefined;
  signal: AbortSignal;
}

/** Posts a message, and resolves to the status. Redirects are not followed, so that no other host gets it. */
const post = (url: string, { headers, body, agent, signal }: Posted): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent, signal }, (response) => {
      response.on("error", reject).on("end", () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    sent.on("error", reject).end(body ?? undefined);
  });

function answerOf(status: number): PushAnswer {
  if (status >= 200 && status < 300) return { accepted: true };
  if (status === 404 || status === 410) return { accepted: false, gone: true };
  // 429 and the server's own failures pass; other refusals are about this message.
  return { accepted: false, final: status < 500 && status !== 429, reason: `HTTP ${status}` };
}
