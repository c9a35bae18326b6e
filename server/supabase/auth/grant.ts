import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";
import type { Tokens } from "../tokens.ts";
import type { SignedIn } from "./signed-in.ts";
import { claimsOf, userJson } from "./user-json.ts";

/** The origin of a request, for the session list and for the language of emails. */
export interface Device {
  userAgent: string | null;
  address: string;
  /** The IP address; for IPv6 only the first 64 bits, which one household shares. */
  network: string;
  /** The Accept-Language header. */
  languages: string | undefined;
}

export const deviceOf = (request: FastifyRequest): Device => ({
  userAgent: request.headers["user-agent"]?.slice(0, 500) ?? null,
  address: request.ip,
  network: normalizeIP(request.ip),
  languages: request.headers["accept-language"]?.slice(0, 500),
});

/** The provider's tokens for the client. */
export interface ProviderTokens {
  accessToken: string;
  refreshToken?: string;
}

/** A session that has just been opened or refreshed. */
export interface Grant {
  person: SignedIn;
  refreshToken: string;
  /** The provider's tokens, if the person has just signed in with it. */
  provider?: ProviderTokens;
}

/** The lifetime of an access token, in seconds. */
export const ACCESS_SECONDS = 3600;

/** Resolves to a session in the client's format: both tokens, and the user. */
export async function sessionJson(tokens: Tokens, { person, refreshToken, provider }: Grant) {
  return {
    access_token: await tokens.sign(claimsOf(person), ACCESS_SECONDS),
    token_type: "bearer",
    expires_in: ACCESS_SECONDS,
    expires_at: Math.floor(Date.now() / 1000) + ACCESS_SECONDS,
    refresh_token: refreshToken,
    ...(provider ? { provider_token: provider.accessToken } : {}),
    ...(provider?.refreshToken ? { provider_refresh_token: provider.refreshToken } : {}),
    user: userJson(person),
  };
}
