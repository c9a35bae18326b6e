import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { atEnd } from "./at-end.ts";

/** The time `seconds` from now, in seconds since 1970. */
export const at = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

export interface Issuer {
  /** http://127.0.0.1:… */
  url: string;
  clientId: string;
  /** The claims of a valid token for a new person, with changes. */
  claims(otherwise?: JWTPayload): JWTPayload;
  sign(claims: JWTPayload): Promise<string>;
  /** Signed by an unknown key with the name of a known one. */
  forge(claims: JWTPayload): Promise<string>;
  /** A token of these parts. */
  compose(header: object, claims: JWTPayload, signature?: string): string;
  publicKey: string;
  /** Sets the next response of its token endpoint. */
  handOut(idToken: string): void;
}

/** An OpenID provider that signs any token. */
export async function openIssuer(): Promise<Issuer> {
  const [own, rogue] = await Promise.all([generateKeyPair("ES256", { extractable: true }), generateKeyPair("ES256")]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "the one", alg: "ES256", use: "sig" };
  let next = "";
  let served = 0;
  const server = createServer((request, reply) => {
    const answers: Record<string, unknown> = {
      "/.well-known/openid-configuration": {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        id_token_signing_alg_values_supported: ["ES256"],
        scopes_supported: ["openid", "email", "profile"],
      },
      "/keys": { keys: [jwk] },
      "/token": { access_token: `an access token ${served++}`, token_type: "bearer", expires_in: 3600, id_token: next },
    };
    const answer = answers[request.url ?? ""];
    reply.writeHead(answer ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atEnd(async () => {
    server.close();
  });

  const signBy = (key: CryptoKey) => (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "the one", typ: "JWT" }).sign(key);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  let people = 0;
  const clientId = "a-client";
  return {
    url,
    clientId,
    claims(otherwise = {}) {
      const name = `person-${process.pid}-${Date.now()}-${people++}`;
      return {
        iss: url,
        aud: clientId,
        sub: name,
        email: `${name}@example.com`,
        email_verified: true,
        name: "Somebody",
        iat: at(0),
        exp: at(600),
        ...otherwise,
      };
    },
    sign: signBy(own.privateKey),
    forge: signBy(rogue.privateKey),
    compose: (header, claims, signature = "") => `${encode(header)}.${encode(claims)}.${signature}`,
    publicKey: JSON.stringify(jwk),
    handOut(idToken) {
      next = idToken;
    },
  };
}

/** The server's settings for the issuer as provider `custom:test`. */
export const asProvider = ({ url, clientId }: Issuer) => ({
  OIDC_PROVIDERS: JSON.stringify([{ name: "test", issuer: url, clientId, clientSecret: "a client's secret" }]),
});

/** Invalid ID tokens by what is wrong with them. `nonce` is what the client sent before, if anything. */
export const BAD_TOKENS: Record<string, (issuer: Issuer, nonce?: string) => string | Promise<string>> = {
  "says that it needs no signature": (issuer, nonce) => issuer.compose({ alg: "none" }, issuer.claims({ nonce })),
  "is signed with the public key as a password": async (issuer, nonce) =>
    new SignJWT(issuer.claims({ nonce }))
      .setProtectedHeader({ alg: "HS256", kid: "the one" })
      .sign(Buffer.from(issuer.publicKey)),
  "is signed by somebody else's key": (issuer, nonce) => issuer.forge(issuer.claims({ nonce })),
  "brings its own key along": async (issuer, nonce) => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    return new SignJWT(issuer.claims({ nonce }))
      .setProtectedHeader({ alg: "ES256", jwk: await exportJWK(publicKey) })
      .sign(privateKey);
  },
  "was changed after it was signed": async (issuer, nonce) => {
    const [header, , signature] = (await issuer.sign(issuer.claims({ nonce }))).split(".");
    const body = Buffer.from(JSON.stringify(issuer.claims({ nonce, sub: "the admin" }))).toString("base64url");
    return `${header}.${body}.${signature}`;
  },
  "is by another issuer": (issuer, nonce) => issuer.sign(issuer.claims({ nonce, iss: "https://evil.example" })),
  "is for another client": (issuer, nonce) => issuer.sign(issuer.claims({ nonce, aud: "another client" })),
  "has expired": (issuer, nonce) => issuer.sign(issuer.claims({ nonce, iat: at(-1200), exp: at(-600) })),
  "is not valid yet": (issuer, nonce) => issuer.sign(issuer.claims({ nonce, nbf: at(600) })),
  "never ends": (issuer, nonce) => issuer.sign(issuer.claims({ nonce, exp: undefined })),
  "is about nobody": (issuer, nonce) => issuer.sign(issuer.claims({ nonce, sub: undefined })),
  "answers another nonce": (issuer) => issuer.sign(issuer.claims({ nonce: "another nonce" })),
  "is no token": () => "nonsense",
};
