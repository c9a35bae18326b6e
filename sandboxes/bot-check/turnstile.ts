import { createHash, timingSafeEqual } from "node:crypto";
import fastify, { type FastifyPluginAsync, type FastifyReply } from "fastify";
import { listenLazily } from "../lazy-server.ts";
import { widgetScript } from "./widget-script.ts";

/** Replaces Turnstile: the widget that distinguishes people from bots, and the service that verifies its tokens. */
export interface Turnstile {
  /** http://127.0.0.1:…/turnstile/v0, in place of https://challenges.cloudflare.com/turnstile/v0. */
  baseUrl: string;
  siteKey: string;
  secretKey: string;
  /** The path of the widget's script if the routes are mounted at /sandbox/bot-check. */
  scriptPath: string;
  routes: FastifyPluginAsync;
  close(): Promise<void>;
}

export async function openTurnstile(): Promise<Turnstile> {
  // The vendor's test keys, with which every check passes.
  const [siteKey, secretKey] = ["1x00000000000000000000AA", "1x0000000000000000000000000000000AA"];
  const siteverify = await openSiteverify(secretKey);
  return {
    baseUrl: siteverify.url,
    siteKey,
    secretKey,
    scriptPath: "/sandbox/bot-check/turnstile/v0/api.js",
    routes: async (app) => {
      app.get("/turnstile/v0/api.js", async (_request, reply) =>
        reply.type("text/javascript; charset=utf-8").header("cache-control", "no-store").send(widgetScript),
      );
    },
    close: siteverify.close,
  };
}

/** Turnstile's siteverify on a free loopback port. It accepts every token once; README.md lists the exceptions. */
async function openSiteverify(secretKey: string) {
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
    const trouble = TROUBLES.find((code) => code === token);
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
  // No response until the client gives up or the sandbox closes.
  silence: (reply) => reply.hijack(),
};

function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Error codes of siteverify by token, for tokens that it refuses. */
const REFUSED: Record<string, string> = {
  refuse: "invalid-input-response",
  expired: "timeout-or-duplicate",
  "internal-error": "internal-error",
};

/** Tokens that cause a faulty response or none. */
const TROUBLES = ["unauthorized", "unavailable", "nonsense", "wrong-shape", "hang-up", "silence"] as const;
type Trouble = (typeof TROUBLES)[number];

/** Maximum number of remembered tokens. Each token is valid once. */
const REMEMBERED = 10_000;

function spentTokens() {
  const spent = new Set<string>();
  return {
    /** Marks a token as used. Returns false if it was used before. */
    spend(token: string): boolean {
      if (spent.has(token)) return false;
      spent.add(token);
      const [oldest] = spent;
      if (spent.size > REMEMBERED && oldest !== undefined) spent.delete(oldest);
      return true;
    },
  };
}
