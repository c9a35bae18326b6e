import { createHmac } from "node:crypto";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  fetchProtectedResource,
} from "openid-client";
import { z } from "zod";
import { personOf } from "./claims.ts";
import type { Provider } from "./provider.ts";
import { isLoopback, requireSafe } from "./safe-address.ts";

/** Settings of Facebook, which uses OAuth and identifies the person by its Graph API. */
export interface FacebookSettings {
  kind: "facebook";
  clientId: string;
  clientSecret: string;
  /** The base URL of the sign-in page: https://www.facebook.com/v23.0 */
  dialogUrl: string;
  /** The base URL of the Graph API: https://graph.facebook.com/v23.0 */
  graphUrl: string;
}

const ISSUER = "https://www.facebook.com";
const TIMEOUT = 10;

const Me = z.object({
  id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  picture: z.object({ data: z.object({ url: z.string().optional() }) }).optional(),
});

export function facebook({ clientId, clientSecret, dialogUrl, graphUrl }: FacebookSettings): Provider {
  for (const address of [dialogUrl, graphUrl]) requireSafe(address);
  const server = {
    issuer: ISSUER,
    authorization_endpoint: `${dialogUrl}/dialog/oauth`,
    token_endpoint: `${graphUrl}/oauth/access_token`,
  };
  const configuration = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret));
  configuration.timeout = TIMEOUT;
  if (isLoopback(graphUrl)) allowInsecureRequests(configuration);

  return {
    issuer: ISSUER,

    async authorizationUrl({ redirectUri, state, verifier }, { scopes, parameters }) {
      return buildAuthorizationUrl(configuration, {
        ...parameters,
        redirect_uri: redirectUri,
        scope: [...new Set(["email", "public_profile", ...scopes])].join(","),
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
    },

    async resolveAccount(url, { state, verifier }) {
      const reply = await authorizationCodeGrant(configuration, url, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      });
      const me = new URL(`${graphUrl}/me`);
      me.searchParams.set("fields", "id,name,email,picture");
      // Proves that the request comes from the token's own app.
      me.searchParams.set(
        "appsecret_proof",
        createHmac("sha256", clientSecret).update(reply.access_token).digest("hex"),
      );
      const answer = await fetchProtectedResource(configuration, reply.access_token, me, "GET");
      const { id, picture, ...profile } = Me.parse(await answer.json());
      // The Graph API omits an email address until the person has confirmed it.
      const claims = { ...profile, sub: id, picture: picture?.data.url, email_verified: profile.email !== undefined };
      return { person: personOf(claims, ISSUER), tokens: { accessToken: reply.access_token } };
    },
  };
}
