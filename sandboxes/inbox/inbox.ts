import type { FastifyPluginAsync } from "fastify";
import { type Gate, gate } from "./gate.ts";
import { type Message, type Messages, messages } from "./messages.ts";
import { inboxPage, type Part, refreshScript } from "./pages.ts";
import { openSmtp } from "./smtp.ts";
import { openTwilio } from "./twilio.ts";

/** Replaces all mailboxes and telephones: stores the messages that it receives, and shows them. */
export interface Inbox {
  /** smtp://127.0.0.1:… */
  smtpUrl: string;
  /** http://127.0.0.1:…, in place of https://api.twilio.com. */
  twilioUrl: string;
  /** The page and its JSON, to mount at /sandbox/inbox. */
  routes: FastifyPluginAsync;
  /** The received messages, newest first; with `to`, only those delivered to this recipient. */
  received(to?: string): Message[];
  /** Accepts the pending messages to `slow@…`. */
  release(): void;
  close(): Promise<void>;
}

export async function openInbox(): Promise<Inbox> {
  const store = messages();
  const slow = gate();
  const [smtp, twilio] = await Promise.all([openSmtp(store, slow), openTwilio(store)]);
  return {
    smtpUrl: smtp.url,
    twilioUrl: twilio.url,
    routes: routes(store, slow),
    received: store.list,
    release: slow.open,
    async close() {
      slow.open();
      await Promise.all([smtp.close(), twilio.close()]);
    },
  };
}

/** The inbox as a page for people and as JSON for tests. */
const routes =
  (messages: Messages, slow: Gate): FastifyPluginAsync =>
  async (app) => {
    app.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      // Messages contain sign-in links: another site's page must not read them through a visitor's browser.
      if (request.headers["sec-fetch-site"] === "cross-site")
        return reply.code(403).send({ message: "Not from elsewhere" });
    });
    app.addContentTypeParser("application/x-www-form-urlencoded", (_request, _body, done) => done(null));

    app.get<{ Querystring: { to?: string } }>("/messages", async (request) => ({
      messages: messages.list(request.query.to),
    }));

    app.delete("/messages", async (_request, reply) => {
      messages.clear();
      return reply.code(204).send();
    });

    app.get("/version", async () => ({ version: messages.version() }));

    app.get("/refresh.js", async (_request, reply) => reply.type("text/javascript; charset=utf-8").send(refreshScript));

    app.post("/release", async (_request, reply) => {
      slow.open();
      return reply.code(204).send();
    });

    app.post("/clear", async (request, reply) => {
      messages.clear();
      return reply.redirect(request.url.replace(/\/clear$/, ""), 303);
    });

    app.get<{ Params: { id?: string }; Querystring: { part?: string } }>("/:id?", async (request, reply) => {
      const { id } = request.params;
      const open = id === undefined ? undefined : messages.get(id);
      const part: Part =
        request.query.part === "text" || request.query.part === "headers" ? request.query.part : "html";
      const base = new URL(request.url, "http://here").pathname.replace(id === undefined ? /\/$/ : /\/[^/]*\/?$/, "");
      reply.code(id !== undefined && !open ? 404 : 200).type("text/html; charset=utf-8");
      return inboxPage({ base, list: messages.list(), open, part, version: messages.version() });
    });

    app.get<{ Params: { id: string } }>("/:id/html", async (request, reply) => {
      const html = messages.get(request.params.id)?.html;
      if (html === undefined) return reply.callNotFound();
      // Emails are untrusted HTML: they may only be displayed and open links in a new tab.
      reply.header(
        "content-security-policy",
        [
          "sandbox allow-popups allow-popups-to-escape-sandbox",
          "default-src 'none'",
          "img-src data: https:",
          "style-src 'unsafe-inline'",
          "frame-ancestors 'self'",
        ].join("; "),
      );
      return reply.type("text/html; charset=utf-8").send(html);
    });
  };
