import type { ProviderTokens } from "../grant.ts";

/** A person's data at a provider. */
export interface Person {
  /** Their permanent id at the provider. */
  subject: string;
  issuer: string;
  /** In the stored form. */
  email: string | undefined;
  /** Whether the provider has verified the address. */
  emailVerified: boolean;
  name: string | undefined;
  picture: string | undefined;
}

/** The values sent to a provider with the browser, and expected back. */
export interface OAuthState {
  redirectUri: string;
  state: string;
  nonce: string;
  /** Of the provider's code (RFC 7636). */
  verifier: string;
}

/** A client's optional parameters for a provider. */
export interface AuthorizationOptions {
  scopes: string[];
  parameters: Record<string, string>;
}

/** An identity provider. All methods reject with the provider's own errors. */
export interface Provider {
  authorizationUrl(oauthState: OAuthState, wishes: AuthorizationOptions): Promise<URL>;
  /** The person of the callback `url`; all claims are verified. */
  resolveAccount(url: URL, oauthState: OAuthState): Promise<{ person: Person; tokens: ProviderTokens }>;
  /** The person of an ID token that a client obtained itself; absent if unsupported. */
  readIdToken?(given: IdTokenGiven): Promise<{ person: Person; expiresAt: number }>;
  /** The issuer in its ID tokens. */
  issuer: string;
}

export interface IdTokenGiven {
  token: string;
  /** The nonce as the client made it; the token contains it or its SHA-256. */
  nonce: string | undefined;
  /** The access token, compared with its hash in the ID token if that has one. */
  accessToken: string | undefined;
}
