import { createHmac } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Provider } from "oidc-provider";
import { accountOf, subjectOf } from "./accounts.ts";
import { CLIENTS } from "./clients.ts";

/** Facebook's Graph, as far as it says who somebody is: GET /me?fields=… */
export function graph(app: FastifyInstance, provider: () => Promise<Provider>) {
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
