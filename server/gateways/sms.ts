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

/** Sends text messages with Twilio's own client. Rejects only if the client cannot be loaded. */
export function sms({ accountSid, authToken, from, baseUrl }: SmsSettings): Sms {
  const connect = async () => {
    // Loaded at the first message, because most processes send none.
    const { default: twilio } = await import("twilio");
    const httpClient = new twilio.RequestClient({ timeout: 30_000 });
    httpClient.axios.interceptors.request.use((config) => {
      if (baseUrl && config.url) config.url = rebase(config.url, baseUrl);
      return config;
    });
    return twilio(accountSid, authToken, { httpClient });
  };
  let client: ReturnType<typeof connect> | undefined;

  return async (to, text) => {
    client ??= connect();
    const { messages } = await client;
    try {
      await messages.create({ to, from, body: text });
      return { accepted: true };
    } catch (error) {
      return { accepted: false, final: isFinal(error), reason: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** Moves a URL's path and query to another base URL. */
function rebase(uri: string, base: string): string {
  const { pathname, search } = new URL(uri);
  return `${base.replace(/\/+$/, "")}${pathname}${search}`;
}

/** A 400 concerns this message (number, text). Other errors (credentials, limits, outages) concern us or the vendor. */
const isFinal = (error: unknown) => error instanceof Error && "status" in error && error.status === 400;
