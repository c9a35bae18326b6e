import { randomBytes } from "node:crypto";
import fastify from "fastify";
import { listenLazily } from "../lazy-server.ts";
import type { Messages } from "./messages.ts";

/** The API's errors by recipient: the vendor's own test numbers, and two of ours for temporary errors. */
const refusals: Record<string, { status: number; code: number; message: string }> = {
  "+15005550001": { status: 400, code: 21211, message: "Invalid 'To' Phone Number" },
  "+15005550002": { status: 400, code: 21612, message: "The 'To' phone number is not currently reachable via SMS" },
  "+15005550004": { status: 400, code: 21610, message: "Attempt to send to unsubscribed recipient" },
  "+15005550009": { status: 400, code: 21614, message: "'To' number is not a valid mobile number" },
  "+15005550429": { status: 429, code: 20429, message: "Too Many Requests" },
  "+15005550503": { status: 503, code: 20503, message: "Service Unavailable" },
};

/** The messages resource of Twilio's API on a free loopback port. */
export const openTwilio = (messages: Messages) => listenLazily(() => twilio(messages));

function twilio(messages: Messages) {
  const app = fastify();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );

  app.post<{ Params: { account: string } }>("/2010-04-01/Accounts/:account/Messages.json", async (request, reply) => {
    const { account } = request.params;
    const refuse = (status: number, code: number, message: string) =>
      reply.code(status).send({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });

    const [user, password] = credentialsOf(request.headers.authorization);
    if (user !== account || !password) return refuse(401, 20003, "Authenticate");
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const [to, from, body] = ["To", "From", "Body"].map((name) => form.get(name) ?? "");
    if (!to) return refuse(400, 21604, "A 'To' phone number is required.");
    if (!from) return refuse(400, 21603, "A 'From' phone number is required.");
    if (!body) return refuse(400, 21602, "Message body is required.");
    const refusal = refusals[to];
    if (refusal) return refuse(refusal.status, refusal.code, refusal.message);
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(400, 21211, `Invalid 'To' Phone Number: ${to}`);

    messages.add({
      kind: "sms",
      from,
      recipients: [to],
      hidden: [],
      subject: "",
      text: body,
      headers: Object.fromEntries(form),
    });
    return reply.code(201).send(resource(account, { to, from, body }));
  });

  return app;
}

function credentialsOf(authorization: string | undefined): string[] {
  const encoded = authorization?.match(/^Basic (\S+)$/)?.[1] ?? "";
  return Buffer.from(encoded, "base64").toString().split(":");
}

function resource(account: string, { to, from, body }: { to: string; from: string; body: string }) {
  const sid = `SM${randomBytes(16).toString("hex")}`;
  const uri = `/2010-04-01/Accounts/${account}/Messages/${sid}`;
  const now = new Date().toUTCString().replace("GMT", "+0000");
  return {
    account_sid: account,
    api_version: "2010-04-01",
    body,
    date_created: now,
    date_sent: null,
    date_updated: now,
    direction: "outbound-api",
    error_code: null,
    error_message: null,
    from,
    messaging_service_sid: null,
    num_media: "0",
    num_segments: String(Math.ceil(body.length / 160)),
    price: null,
    price_unit: "USD",
    sid,
    status: "queued",
    subresource_uris: { media: `${uri}/Media.json` },
    to,
    uri: `${uri}.json`,
  };
}
