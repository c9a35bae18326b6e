import type { ProviderTokens } from "../grant.ts";

/** A person's data at a provider. */
export interface Person {
  /** Their permanent id at the provider. */
  subject: string;
  issuer: string;
  /** In the form in which it is stored. */
  email: string | undefined;
  /** Whether the provider has verified the address. */
  emailVerified: boolean;
  name: string | undefined;
  picture: string | undefined;
}

/** The values sent with a browser to a provider, and expected back. */
export interface OAuthState {
  redirectUri: string;
  state: string;
  nonce: string;
  /** Of the provider's code (RFC 7636). */
  verifier: string;
}

/** What a client would like of a provider, beyond what signing in needs. */
export interface Wishes {
  scopes: string[];
  parameters: Record<string, string>;
}

/** Somewhere else, where people have accounts already. Everything rejects with vendors' own errors. */
export interface Provider {
  authorizationUrl(oauthState: OAuthState, wishes: Wishes): Promise<URL>;
  /** The person of the callback `url`; all claims are verified. */
  resolveAccount(url: URL, oauthState: OAuthState): Promise<{ person: Person; tokens: ProviderTokens }>;
  /** The person of an ID token that a client obtained itself; absent if unsupported. */
  readIdToken?(given: IdTokenGiven): Promise<{ person: Person; expiresAt: number }>;
  /** The issuer in its ID tokens. */
  issuer: string;
}

export interface IdTokenGiven {
  token: string;
  /** As the client made it; the token holds it, or its SHA-256. */
  nonce: string | undefined;
  /** Checked against its hash in the token, if there is one. */
  accessToken: string | undefined;
}
