import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import {
  type AccountClaims,
  type Adapter,
  type AdapterPayload,
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import { accountOf, subjectOf } from "./accounts.ts";
import { type appleKey, CLIENTS } from "./clients.ts";

declare module "oidc-provider" {
  // This method is documented, but missing from the package's types.
  interface Provider {
    registerResponseMode(
      name: string,
      handler: (context: KoaContextWithOIDC, redirectUri: string, parameters: Record<string, string>) => void,
    ): void;
  }
}

interface ProviderSettings {
  /** http://localhost:3000/sandbox/identity */
  issuer: string;
  /** The only allowed return URL. */
  redirectUri: string;
  apple: ReturnType<typeof appleKey>;
}

const HOUR = 3600;

/** Creates an OpenID provider with the listed clients and accounts. Every sign-in asks for the account. */
export async function openProvider({ issuer, redirectUri, apple }: ProviderSettings): Promise<Provider> {
  const provider = new Provider(issuer, {
    adapter: createMemoryAdapter(),
    jwks: { keys: [await newKey()] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    clients: Object.entries(CLIENTS).map(([name, client]) => ({
      client_id: client.id,
      client_name: name,
      client_secret: "secret" in client ? client.secret : "signed anew each time",
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: [redirectUri],
    })),
    scopes: ["openid", "email", "profile", "name", "public_profile"],
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name"],
    },
    // All claims are in the ID token, as with Google and Apple.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: {
      policy: asksEveryTime(),
      url: (_context, { uid }) => `${new URL(issuer).pathname}/interaction/${uid}`,
    },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
    findAccount,
    loadExistingGrant,
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      Grant: HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: HOUR,
      Session: HOUR,
    },
    renderError(context, { error, error_description }) {
      context.type = "text/plain";
      context.body = `${error}: ${error_description ?? ""}`;
    },
  } satisfies Configuration);
  // Facebook sends no issuer with the redirect, and appends `#_=_` to the return URL.
  provider.registerResponseMode("facebook", (context, redirectUri, { iss, ...parameters }) => {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    context.redirect(`${url.href}#_=_`);
  });
  // Behind a tunnel, the published URLs use https only if forwarded headers are trusted.
  provider.proxy = true;
  const { compareClientSecret } = provider.Client.prototype;
  provider.Client.prototype.compareClientSecret = function compare(secret: string) {
    return this.clientId === CLIENTS.apple.id ? apple.isSecret(secret) : compareClientSecret.call(this, secret);
  };
  return provider;
}

async function newKey() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString("hex"), alg: "RS256", use: "sig" };
}

function asksEveryTime() {
  const { Check, base } = interactionPolicy;
  const policy = base();
  policy
    .get("login")
    ?.checks.add(
      new Check("asked_every_time", "Who is it?", (context) =>
        context.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  return policy;
}

async function findAccount(_context: KoaContextWithOIDC, login: string, token?: { kind?: string }) {
  if (login.startsWith("refused@") && token?.kind === "AuthorizationCode") return undefined;
  const { name, email, emailVerified } = accountOf(login);
  return {
    accountId: login,
    claims: async (): Promise<AccountClaims> => ({
      sub: subjectOf(login),
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email, email_verified: emailVerified }),
    }),
  };
}

/** Grants all requested scopes to anyone who signs in, without a consent page. */
async function loadExistingGrant({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
  grant.addOIDCScope(String(oidc.params?.scope ?? ""));
  await grant.save();
  return grant;
}

/** Stores the provider's sessions and tokens in memory, until they expire or the process ends. */
function createMemoryAdapter() {
  const stored = new Map<string, { payload: AdapterPayload; until: number }>();
  const get = (key: string) => {
    const entry = stored.get(key);
    if (entry && entry.until > Date.now()) return entry.payload;
    stored.delete(key);
    return undefined;
  };
  const where = (model: string, is: (payload: AdapterPayload) => boolean) =>
    [...stored.keys()]
      .filter((key) => key.startsWith(`${model}:`))
      .map(get)
      .find((payload) => payload !== undefined && is(payload));

  return (model: string): Adapter => ({
    async upsert(id, payload, expiresIn) {
      for (const key of stored.keys()) get(key);
      stored.set(`${model}:${id}`, {
        payload,
        until: expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY,
      });
    },
    find: async (id) => get(`${model}:${id}`),
    findByUid: async (uid) => where(model, (payload) => payload.uid === uid),
    findByUserCode: async (code) => where(model, (payload) => payload.userCode === code),
    async consume(id) {
      const payload = get(`${model}:${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      stored.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of stored) if (payload.grantId === grantId) stored.delete(key);
    },
  });
}
