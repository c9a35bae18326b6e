import type { FastifyRequest } from "fastify";
import type { Database } from "../../database/database.ts";
import type { Identify } from "../callers.ts";
import { foreignPages, type IsForeign } from "../foreign-pages.ts";
import type { Keyring } from "../sealed.ts";
import type { Tokens } from "../tokens.ts";
import type { Captcha } from "./captcha.ts";
import { type Limits, openLimits } from "./limits.ts";
import type { Messages } from "./messages.ts";
import { openPasswords, type Passwords } from "./passwords.ts";
import { openProviders, type ProviderSettings, type Providers } from "./providers/providers.ts";
import type { RedirectSettings } from "./redirects.ts";
import { requireSignedIn, type SignedIn } from "./signed-in.ts";

interface Deps {
  db: Database;
  tokens: Tokens;
  identify: Identify;
  messages: Messages;
  redirects: RedirectSettings;
  /** The default redirect after a sign-in at a provider. */
  callbackUrl: string;
  /** The base URL of these routes, as in emailed links: https://…/auth/v1. */
  url: string;
  /** The path of the page that an emailed link opens. A button or script on it uses the link. */
  linkPage: string;
  /** The 32-byte key from which refresh tokens are derived; the same in every process. */
  refreshSecret: Uint8Array;
  /** The 32-byte HMAC key of codes and attempt counters; the same in every process. */
  codeSecret: Uint8Array;
  /** The 32-byte key that encrypts stored secrets: those of second factors, and the tokens of providers. */
  sealSecret: Keyring;
  /** Whether a new address must be confirmed before the first sign-in. */
  confirmAddresses: boolean;
  /** Seconds between two messages to one address. */
  messageInterval: number;
  /** The bot check for sign-up, sign-in and requests for messages; absent if off. */
  captcha?: Captcha;
  /** The limit per IP address in five minutes. Sign-ups, sign-ins, code checks and messages are counted separately. */
  triesPerAddress: number;
  /** The memory in mebibytes that hashing a password takes. */
  passwordHashMiB: number;
}

export interface AuthDeps extends Deps {
  /** The providers for sign-in. */
  providers: ProviderSettings;
}

/** The dependencies of all `auth/v1` routes. */
export interface AuthContext extends Deps {
  providers: Providers;
  passwords: Passwords;
  limits: Limits;
  /** Resolves to the account and session of a request's token. Refuses an ended session. */
  signedIn(request: FastifyRequest): Promise<SignedIn>;
  /** Whether another site's page made a browser send a request. Such requests must not use up attempts. */
  isForeign: IsForeign;
  /** Hook for routes that need a session. Refuses requests without one before their body is validated. */
  requireSession(request: FastifyRequest): Promise<void>;
}

export function openAuth(deps: AuthDeps): AuthContext {
  const people = new WeakMap<FastifyRequest, Promise<SignedIn>>();
  const signedIn = (request: FastifyRequest) => {
    const person = people.get(request) ?? requireSignedIn(deps.db, deps.identify, request.headers.authorization);
    people.set(request, person);
    return person;
  };
  return {
    ...deps,
    providers: openProviders(deps.providers),
    passwords: openPasswords(deps.passwordHashMiB),
    limits: openLimits(deps.db, deps.codeSecret),
    signedIn,
    isForeign: foreignPages(deps.redirects),
    requireSession: async (request) => void (await signedIn(request)),
  };
}
