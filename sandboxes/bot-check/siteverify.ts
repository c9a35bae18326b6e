import { createHash, timingSafeEqual } from "node:crypto";
import fastify, { type FastifyReply } from "fastify";
import { listenLazily } from "../lazy-server.ts";
import { REFUSED, spentTokens, TROUBLES, type Trouble } from "./tokens.ts";

/** Turnstile's siteverify on a free loopback port: it takes every token once, except as README.md says. */
export async function openSiteverify(secretKey: string) {
  const server = await listenLazily(() => siteverify(secretKey));
  return { url: `${server.url}/turnstile/v0`, close: server.close };
}

function siteverify(secretKey: string) {
  const app = fastify();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  const spent = spentTokens();

  app.post<{ Body: { secret?: string; response?: string } | null }>("/turnstile/v0/siteverify", (request, reply) => {
    const { secret, response: token } = request.body ?? {};
    const refuse = (status: number, code: string) =>
      reply.code(status).send({ success: false, "error-codes": [code], messages: [] });

    if (!secret) return refuse(400, "missing-input-secret");
    if (!same(secret, secretKey)) return refuse(401, "invalid-input-secret");
    if (!token) return refuse(200, "missing-input-response");
    const trouble = TROUBLES.find((known) => known === token);
    if (trouble) return troubles[trouble](reply);
    const refused = REFUSED[token];
    if (refused) return refuse(200, refused);
    if (!spent.spend(token)) return refuse(200, "timeout-or-duplicate");
    return reply.send({
      success: true,
      "error-codes": [],
      challenge_ts: new Date().toISOString(),
      hostname: "localhost",
      action: "",
      cdata: "",
      metadata: { interactive: false },
    });
  });

  return app;
}

const troubles: Record<Trouble, (reply: FastifyReply) => FastifyReply> = {
  unauthorized: (reply) => reply.code(401).send({ success: false, "error-codes": ["invalid-input-secret"] }),
  unavailable: (reply) => reply.code(500).send("Internal Server Error"),
  nonsense: (reply) => reply.type("text/html").send("<!doctype html><title>Welcome to the hotel's network</title>"),
  "wrong-shape": (reply) => reply.send({ success: "yes" }),
  "hang-up": (reply) => {
    reply.hijack().raw.destroy();
    return reply;
  },
  // Until the one who asks has had enough, or the sandbox closes.
  silence: (reply) => reply.hijack(),
};

function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
