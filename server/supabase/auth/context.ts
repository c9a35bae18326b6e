import type { FastifyRequest } from "fastify";
import type { Database } from "../../database/database.ts";
import type { Identify } from "../callers.ts";
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
  /** Where people are led who come back from a provider, unless they ask for another address. */
  callbackUrl: string;
  /** The base URL of these routes, as in emailed links: https://…/auth/v1. */
  url: string;
  /** 32 bytes from which refresh tokens follow one another; the same in every process. */
  refreshSecret: Uint8Array;
  /** 32 bytes under which codes and counts are hashed; the same in every process. */
  codeSecret: Uint8Array;
  /** 32 bytes that encrypt secrets which must be read again: those of second factors, the tokens of providers. */
  sealSecret: Uint8Array;
  /** Whether a new address must be confirmed before the first sign-in. */
  confirmAddresses: boolean;
  /** Seconds between two messages to one address. */
  messageInterval: number;
  /** The bot check for sign-up, sign-in and requests for messages; absent if off. */
  captcha?: Captcha;
  /** How many sign-ups, sign-ins, guesses at codes and messages one address may try in five minutes, of each. */
  triesPerAddress: number;
  /** Mebibytes that the hash of a password takes. */
  passwordHashMiB: number;
}

export interface AuthDeps extends Deps {
  /** The providers for sign-in. */
  providers: ProviderSettings;
}

/** What every call of `auth/v1` works with. */
export interface AuthContext extends Deps {
  providers: Providers;
  passwords: Passwords;
  limits: Limits;
  /** The person of a request's token, in an active session. */
  signedIn(request: FastifyRequest): Promise<SignedIn>;
  /** A hook of routes that need a session: refuses others before their body is read. */
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
    requireSession: async (request) => void (await signedIn(request)),
  };
}
