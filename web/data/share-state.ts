import type { OpenedShare, ShareSecret } from "../../shared/share.ts";
import { FunctionRefusal } from "../lib/request/call-function.ts";
import { serverNow } from "../lib/request/server-clock.ts";

/** An opened share, as stored in this tab. */
export interface OpenSession extends Omit<OpenedShare, "expiresIn"> {
  /** The token's expiry in milliseconds of the epoch. */
  expiresAt: number;
  /** Whether it is from an offline copy, and has no valid token. */
  copied?: true;
}

/** A visitor's access to a shared memory. */
export type ShareState =
  | { state: "opening" }
  | { state: "pin"; asks: ShareSecret; reason: "asked" | "closed" | "waited" }
  | { state: "pin"; asks: ShareSecret; reason: "wrong"; triesLeft: number }
  | { state: "locked"; asks: ShareSecret; until: Date }
  | { state: "ended"; reason: "expired" | "revoked" | "invitation" | "accepted" | "incomplete" | "cut" | "declined" }
  | { state: "unreachable"; reason: "first" | "pin" }
  | { state: "open"; session: OpenSession };

interface Attempt {
  /** Whether this tab had the memory open until now. */
  had: boolean;
  /** Whether a PIN was sent. */
  pin: boolean;
  /** Whether the time at which the open link was to expire has passed. */
  over?: boolean;
  /** Whether the URL is that of an invitation without its token. */
  cut?: boolean;
}

/** The state after a refused or failed opening. */
export function afterFailure(error: unknown, { had, pin, over = false, cut = false }: Attempt): ShareState {
  if (error instanceof FunctionRefusal) {
    const { code, details } = error;
    const asks: ShareSecret = details.asks === "passphrase" ? "passphrase" : "pin";
    const until = typeof details.lockedUntil === "string" ? new Date(details.lockedUntil) : undefined;
    // An invitation's link has no PIN to type.
    if (code === "invitation_unknown") return { state: "ended", reason: "invitation" };
    if (code === "invitation_incomplete" || (code === "pin_required" && cut))
      return { state: "ended", reason: "incomplete" };
    if (code === "invitation_accepted") return { state: "ended", reason: "accepted" };
    if (code === "locked" || (code === "pin_wrong" && until)) {
      return { state: "locked", asks, until: until ?? inAMinute() };
    }
    if (code === "pin_wrong") return { state: "pin", asks, reason: "wrong", triesLeft: Number(details.triesLeft ?? 0) };
    if (code === "expired" || code === "revoked") return { state: "ended", reason: code };
    // A server that cannot tell who was admitted asks for the PIN, which would open nothing.
    if (code === "pin_required" && had && over) return { state: "ended", reason: "expired" };
    // A malformed identifier gets the same answer as an unknown one.
    if (code === "pin_required" || error.status === 400) {
      return { state: "pin", asks, reason: had ? "closed" : "asked" };
    }
  }
  return { state: "unreachable", reason: pin ? "pin" : "first" };
}

const inAMinute = () => new Date(serverNow() + 60_000);

const RENEW_BEFORE_MS = 5 * 60_000;

/**
 * The next event of an open share and the milliseconds until it: a new token, or the link's expiry. `now` is the device's
 * time, by which the token is kept; the link ends by the server's.
 */
export function nextStep(
  { expiresAt, endsAt }: OpenSession,
  now: number,
  serverTime: number,
): { step: "renew" | "end"; after: number } {
  const end = endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt) + now - serverTime;
  // The token of an expiring link expires with it, in whole seconds.
  if (end <= expiresAt + 1500) return { step: "end", after: Math.max(0, end - now) };
  const remainingMs = expiresAt - now;
  // Tokens are short near the end of a session, and the next one may be too.
  return { step: "renew", after: Math.max(1000, remainingMs - RENEW_BEFORE_MS, remainingMs / 2) };
}
