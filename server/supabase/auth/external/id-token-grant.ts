import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { RequestError } from "../../../../shared/request-error.ts";
import { invalid } from "../bodies.ts";
import type { AuthContext } from "../context.ts";
import { deviceOf, type Grant } from "../grant.ts";
import type { Provider } from "../providers/provider.ts";
import { renewSession } from "../refresh-tokens.ts";
import { openSession } from "../sessions.ts";
import { link } from "./identities.ts";
import { readIdTokenGrant } from "./requests.ts";
import { resolveAccount, unverified } from "./resolve-account.ts";

/** Opens a session for an ID token's person, or links that provider's account to the signed-in person's account. */
export async function idTokenGrant(auth: AuthContext, request: FastifyRequest): Promise<Grant> {
  const { from, given: token, links } = readIdTokenGrant(request.body);
  const signedIn = links ? await auth.signedIn(request) : undefined;
  const [name, read] = readerOf(auth, from);
  const { person, expiresAt } = await read(token);
  if (person.email === undefined && !signedIn) throw unverified(name);
  await consumeToken(auth, token.token, expiresAt);
  const newcomer = { provider: name, person };
  return auth.db.transaction(async (tx) => {
    if (signedIn) {
      await link(tx, signedIn.session_id, newcomer);
      return renewSession(tx, auth.refreshSecret, signedIn.session_id);
    }
    const device = deviceOf(request);
    return openSession(auth, tx, await resolveAccount(auth, tx, newcomer, device), "oauth", device);
  });
}

/** Returns the provider with this name or issuer, and its ID token reader. */
function readerOf({ providers }: AuthContext, from: string): [string, NonNullable<Provider["readIdToken"]>] {
  for (const [name, { issuer, readIdToken }] of providers) {
    if (readIdToken && (name === from || issuer === from)) return [name, readIdToken];
  }
  throw invalid(`Custom OIDC provider "${from.slice(0, 200)}" not allowed`);
}

/** Refuses a token that was used before, so that a copy of it in a log is worthless. */
async function consumeToken({ limits }: AuthContext, token: string, expiresAt: number) {
  const hash = createHash("sha256").update(token).digest("base64url");
  const { count } = await limits.count(`id token ${hash}`, expiresAt - Date.now() / 1000 + 120);
  if (count > 1) throw new RequestError("validation_failed", { message: "Bad ID token" });
}
