import { importPKCS8, SignJWT } from "jose";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
} from "openid-client";
import { personOf } from "./claims.ts";
import { openIdTokens } from "./id-tokens.ts";
import type { AuthorizationOptions, OAuthState, Provider } from "./provider.ts";
import { isLoopback, requireSafe } from "./safe-address.ts";

/** An OpenID Connect provider. */
export interface OidcSettings {
  kind: "oidc";
  issuer: string;
  /** Further accepted issuers. */
  otherNames?: string[];
  /** Client ids. The first is this server's. ID tokens for the others (e.g. apps) are accepted too. */
  clientIds: string[];
  clientSecret: string | AppleKey;
  /** Whether the provider returns by a form POST, as Apple does when a name is requested. */
  formPost?: boolean;
}

/** Timeout of requests to a provider, in seconds. */
const TIMEOUT = 10;
/** The cache lifetime of a provider's discovery document, in ms. */
const CACHE_MS = 3_600_000;

export function oidcProvider(settings: OidcSettings): Provider {
  const { issuer, clientIds, clientSecret } = settings;
  requireSafe(issuer);
  const configuration = cached(CACHE_MS, () =>
    discovery(
      new URL(issuer),
      clientIds[0] ?? "",
      undefined,
      typeof clientSecret === "string" ? ClientSecretPost(clientSecret) : appleSecret(clientSecret),
      {
        // Signatures are verified, although the TLS connection already proves the origin.
        execute: [enableNonRepudiationChecks, ...(isLoopback(issuer) ? [allowInsecureRequests] : [])],
        timeout: TIMEOUT,
      },
    ),
  );
  return {
    issuer,
    readIdToken: openIdTokens({ configuration, clientIds, names: [issuer, ...(settings.otherNames ?? [])] }),

    async authorizationUrl(oauthState, wishes) {
      const parameters = { ...wishes.parameters, ...(settings.formPost ? { response_mode: "form_post" } : {}) };
      return departure(await configuration(), oauthState, { ...wishes, parameters });
    },

    async resolveAccount(url, { state, nonce, verifier }) {
      const reply = await authorizationCodeGrant(await configuration(), url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      });
      const claims = { ...appleName(url), ...reply.claims() };
      const tokens = { accessToken: reply.access_token, refreshToken: reply.refresh_token };
      return { person: personOf(claims, issuer), tokens };
    },
  };
}

async function departure(
  configuration: Configuration,
  oauthState: OAuthState,
  { scopes, parameters }: AuthorizationOptions,
) {
  return buildAuthorizationUrl(configuration, {
    ...parameters,
    redirect_uri: oauthState.redirectUri,
    scope: [...new Set([...defaultScopes(configuration), ...scopes])].join(" "),
    state: oauthState.state,
    nonce: oauthState.nonce,
    code_challenge: await calculatePKCECodeChallenge(oauthState.verifier),
    code_challenge_method: "S256",
  });
}

/** Returns the default scopes. Apple's scope `name` is called `profile` elsewhere. */
function defaultScopes(configuration: Configuration): string[] {
  const supported = configuration.serverMetadata().scopes_supported ?? ["email", "profile"];
  return ["openid", ...["email", "profile", "name"].filter((scope) => supported.includes(scope))];
}

/** Returns the name that Apple sends once, beside the token at the first sign-in. It is unverified text. */
function appleName(url: URL): { name?: string } {
  try {
    const { name } = JSON.parse(url.searchParams.get("user") ?? "{}") ?? {};
    const parts = [name?.firstName, name?.lastName].filter((part) => typeof part === "string");
    return parts.length > 0 ? { name: parts.join(" ") } : {};
  } catch {
    return {};
  }
}

/** Caches the result of `make` for `ms`. A failure is not cached. */
function cached<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let cachedValue: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (!cachedValue || cachedValue.until <= Date.now()) {
      const entry = { value: make(), until: Date.now() + ms };
      entry.value.catch(() => {
        if (cachedValue === entry) cachedValue = undefined;
      });
      cachedValue = entry;
    }
    return cachedValue.value;
  };
}

/** The key that signs Apple client secrets. */
interface AppleKey {
  teamId: string;
  keyId: string;
  /** PKCS #8, as in the file that Apple offers once. */
  privateKey: string;
}

/** Returns the client authentication for Apple: a token that the client signs for each use. */
const appleSecret =
  ({ teamId, keyId, privateKey }: AppleKey): ClientAuth =>
  async (server, { client_id }, body) => {
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: keyId })
      .setIssuer(teamId)
      .setIssuedAt()
      .setExpirationTime("5 minutes")
      .setAudience(server.issuer)
      .setSubject(client_id)
      .sign(await importPKCS8(privateKey, "ES256"));
    body.set("client_id", client_id);
    body.set("client_secret", secret);
  };
