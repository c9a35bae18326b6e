import { createHmac } from "node:crypto";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Provider } from "oidc-provider";
import { accountOf, agreedAccounts, type SandboxAccount, subjectOf } from "./accounts.ts";
import { CLIENTS } from "./clients.ts";

/** Error results of the sign-in form, by the value of its `end` field. */
const ENDS: Record<string, { error: string; error_description: string }> = {
  cancel: { error: "access_denied", error_description: "The resource owner denied the request" },
  error: { error: "server_error", error_description: "The sandbox was asked to fail" },
};

const NAMES: Record<string, string> = {
  [CLIENTS.google.id]: "Google",
  [CLIENTS.facebook.id]: "Facebook",
  [CLIENTS.apple.id]: "Apple",
};

/** Removes the session cookies, so that every sign-in asks for the account and needs no sign-out before. */
const withoutSession = (cookies = "") =>
  cookies
    .split("; ")
    .filter((cookie) => !cookie.startsWith("_session"))
    .join("; ");

/** The provider's endpoints, its sign-in page, and Facebook's paths for some endpoints. */
export const routes =
  (provider: () => Promise<Provider>): FastifyPluginAsync =>
  async (app) => {
    const { prefix } = app;

    /** Passes a request to the provider as a request for `path`, relative to the mount path. */
    const hand = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
      const handle = (await provider()).callback();
      reply.hijack();
      Object.assign(request.raw, { url: path, originalUrl: prefix + path });
      request.raw.headers.cookie = withoutSession(request.headers.cookie);
      await handle(request.raw, reply.raw);
    };

    await app.register(async (page) => {
      page.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
        done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );

      page.get("/interaction/:uid", async (request, reply) => {
        const { params } = await (await provider()).interactionDetails(request.raw, reply.raw);
        reply.header("cache-control", "no-store").type("text/html; charset=utf-8");
        const client = NAMES[String(params.client_id)] ?? String(params.client_id);
        return signInPage({ client, hint: String(params.login_hint ?? "") });
      });

      page.post<{ Body: { login?: string; end?: string } | null }>("/interaction/:uid", async (request, reply) => {
        const { login = "", end = "" } = request.body ?? {};
        const result = ENDS[end] ?? { login: { accountId: login.trim().toLowerCase(), remember: false } };
        const openedProvider = await provider();
        await openedProvider.interactionDetails(request.raw, reply.raw);
        reply.hijack();
        await openedProvider.interactionFinished(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
      });

      graph(page, provider);
    });

    await app.register(async (endpoints) => {
      // The provider parses bodies itself.
      endpoints.removeAllContentTypeParsers();
      endpoints.addContentTypeParser("*", (_request, _body, done) => done(null));

      // Facebook separates scopes by commas, sends no response type, and has a response mode of its own.
      endpoints.get<{ Querystring: Record<string, string> }>("/facebook/dialog/oauth", async (request, reply) => {
        const query = new URLSearchParams({ ...request.query, response_type: "code", response_mode: "facebook" });
        query.set("scope", query.get("scope")?.replaceAll(",", " ") ?? "public_profile");
        return hand(request, reply, `/auth?${query}`);
      });

      endpoints.post("/facebook/oauth/access_token", (request, reply) => hand(request, reply, "/token"));

      endpoints.all("/*", (request, reply) => hand(request, reply, request.url.slice(prefix.length) || "/"));
    });
  };

/** The part of Facebook's Graph API that identifies a person: GET /me?fields=… */
function graph(app: FastifyInstance, provider: () => Promise<Provider>) {
  app.get<{ Querystring: { fields?: string; appsecret_proof?: string } }>("/facebook/me", async (request, reply) => {
    const { fields = "id,name", appsecret_proof: proof } = request.query;
    const refuse = (status: number, message: string, code: number) =>
      reply.code(status).send({ error: { message, type: "OAuthException", code, fbtrace_id: "sandbox" } });

    const bearer = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const token = bearer ? await (await provider()).AccessToken.find(bearer) : undefined;
    if (!token) return refuse(401, "Invalid OAuth access token.", 190);
    const expected = createHmac("sha256", CLIENTS.facebook.secret).update(bearer).digest("hex");
    if (proof !== undefined && proof !== expected)
      return refuse(400, "Invalid appsecret_proof provided in the API argument", 100);
    const { login, name, email, emailVerified } = accountOf(token.accountId);
    const all: Record<string, unknown> = {
      id: subjectOf(login),
      name,
      email: emailVerified ? email : undefined,
      picture: {
        data: { height: 50, width: 50, is_silhouette: true, url: "https://graph.sandbox.example/picture.jpg" },
      },
    };
    return Object.fromEntries(["id", ...fields.split(",")].map((field) => [field, all[field]]));
  });
}

const style = `
:root { color-scheme: light dark; --paper: #fbf8f2; --raised: #fffdf9; --ink: #1d2b36; --soft: #53616c; --line: #e6dfd2;
  --deep: #0d6660; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1626; --raised: #16233a; --ink: #eef1ee; --soft: #aebac8;
  --line: #2a3950; --deep: #7fd6cb; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--paper);
  color: var(--ink); font: 17px/1.5 "Source Sans 3", "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { width: 100%; max-width: 440px; padding: 28px 24px; background: var(--raised); border: 1px solid var(--line);
  border-radius: 16px; }
h1 { margin: 0 0 4px; font: 500 26px/1.25 Literata, Georgia, serif; }
p { margin: 0 0 20px; color: var(--soft); }
form { display: grid; gap: 8px; margin: 0 0 16px; }
label { font-weight: 600; }
input, button { font: inherit; min-height: 48px; border-radius: 12px; border: 1px solid var(--soft); padding: 0 16px;
  background: none; color: inherit; width: 100%; }
button { cursor: pointer; text-align: left; padding-block: 8px; }
button small { display: block; color: var(--soft); font-size: 15px; }
button.next, .ends button { text-align: center; }
button.next { border-color: var(--deep); color: var(--deep); font-weight: 600; }
.ends { grid-template-columns: 1fr 1fr; margin: 0; padding-top: 16px; border-top: 1px solid var(--line); }
:focus-visible { outline: 3px solid var(--deep); outline-offset: 2px; }
`;

/** The sign-in page. `client`: the name of the replaced provider. `hint`: the login that the client expects. */
const signInPage = ({ client, hint }: { client: string; hint: string }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Sandbox sign-in</title>
<style>${style}</style>
</head>
<body>
<main>
  <h1>Sign in with ${asText(client)}</h1>
  <p>This sandbox stands in for the real one. Nothing here leaves this machine.</p>
  <form method="post">${agreedAccounts().map(choice).join("")}</form>
  <form method="post">
    <label for="login">Another address</label>
    <input id="login" name="login" type="email" required autocomplete="off" value="${asText(hint)}">
    <button class="next">Continue</button>
  </form>
  <form method="post" class="ends">
    <button name="end" value="cancel">Cancel</button>
    <button name="end" value="error">Fail</button>
  </form>
</main>
</body>
</html>`;

const choice = ({ login, name, note }: SandboxAccount) => `
    <button name="login" value="${asText(login)}">${asText(name ?? "Without a name")}
      <small>${asText(login)}${note ? `, ${asText(note)}` : ""}</small></button>`;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const asText = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
