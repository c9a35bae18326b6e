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

/** The values of a sign-in that the browser carries to the provider and back. */
export interface OAuthState {
  redirectUri: string;
  state: string;
  nonce: string;
  /** The PKCE verifier of the provider's code (RFC 7636). */
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
  /** Resolves to the person of the callback `url`. All claims are verified. */
  resolveAccount(url: URL, oauthState: OAuthState): Promise<{ person: Person; tokens: ProviderTokens }>;
  /** Resolves to the person of an ID token that a client obtained itself. Absent if unsupported. */
  readIdToken?(input: IdTokenGiven): Promise<{ person: Person; expiresAt: number }>;
  /** The issuer in its ID tokens. */
  issuer: string;
}

export interface IdTokenGiven {
  token: string;
  /** The client's nonce. The token contains it or its SHA-256. */
  nonce: string | undefined;
  /** The access token. It is compared with its hash in the ID token, if there is one. */
  accessToken: string | undefined;
}
