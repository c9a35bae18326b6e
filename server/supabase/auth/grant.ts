import type { Tokens } from "../tokens.ts";
import type { SignedIn } from "./signed-in.ts";
import { claimsOf, userJson } from "./user-json.ts";

/** Where a session is, as its person may be shown it one day. */
export interface Device {
  userAgent: string | null;
  address: string;
}

/** A session that has just been opened or refreshed. */
export interface Grant {
  person: SignedIn;
  refreshToken: string;
}

/** How long an access token is good for, in seconds. */
const ACCESS_SECONDS = 3600;

/** What a client gets to keep: both tokens, and whose they are. */
export async function sessionJson(tokens: Tokens, { person, refreshToken }: Grant) {
  return {
    access_token: await tokens.sign(claimsOf(person), ACCESS_SECONDS),
    token_type: "bearer",
    expires_in: ACCESS_SECONDS,
    expires_at: Math.floor(Date.now() / 1000) + ACCESS_SECONDS,
    refresh_token: refreshToken,
    user: userJson(person),
  };
}
