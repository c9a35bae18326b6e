import { isPurpose, type Purpose } from "./purposes.ts";

/** Why somebody who was led back is not signed in by it; each is a text under `account:callback`. */
export type LandingProblem =
  | "expired"
  | "cancelled"
  | "provider"
  | "identityTaken"
  | "stale"
  | "noCode"
  | "noSession"
  | "notPkce"
  | "otherBrowser"
  | "confirmed"
  | "emailChanged"
  | "unreachable";

export interface Landing {
  purpose: Purpose | undefined;
  /** A code to be exchanged, the first half of a change of address, or why it ends here. */
  outcome: { code: string } | "half" | LandingProblem;
}

/** Seconds after which a session that is in an address is stale (Spec §9). */
const STALE_AFTER = 120;

/** What an address says that mailed links and other providers lead back to; `now` in milliseconds. */
export function readLanding(address: string, now: number): Landing {
  const { searchParams, hash } = new URL(address);
  // What is in the fragment has been seen by no server on its way: it comes before the parameters.
  const given = new Map([...searchParams, ...new URLSearchParams(hash.slice(1))]);
  const asked = searchParams.get("for");
  const purpose = isPurpose(asked) ? asked : undefined;
  return { purpose, outcome: outcomeOf(given, purpose, now) };
}

function outcomeOf(given: Map<string, string>, purpose: Purpose | undefined, now: number): Landing["outcome"] {
  if (["error", "error_code", "error_description"].some((name) => given.has(name))) return problemOf(given, purpose);
  if (given.has("access_token")) return sessionProblem(given, now / 1000);
  if (given.has("message") && purpose === "email") return "half";
  const code = given.get("code");
  return code ? { code } : "noCode";
}

function problemOf(given: Map<string, string>, purpose: Purpose | undefined): LandingProblem {
  const code = given.get("error_code");
  if (code === "otp_expired") return "expired";
  if (code === "identity_already_exists") return "identityTaken";
  const atProvider = purpose === "social" || purpose === "identity";
  return given.get("error") === "access_denied" && atProvider ? "cancelled" : "provider";
}

/** A session in an address is never taken: anyone who made the link could have signed people in to an account of theirs. */
function sessionProblem(given: Map<string, string>, now: number): LandingProblem {
  const complete = ["access_token", "refresh_token", "expires_in", "token_type"].every((name) => given.get(name));
  if (!complete) return "noSession";
  const issuedAt = Number(given.get("expires_at")) - Number(given.get("expires_in"));
  return now - issuedAt >= STALE_AFTER ? "stale" : "notPkce";
}

/** Why a code opened no session, for anyone who came back with it. */
export function exchangeProblem(
  error: Error & { code?: unknown; status?: unknown },
  purpose?: Purpose,
): LandingProblem {
  switch (error.code) {
    case "flow_state_expired":
      return "stale";
    case "flow_state_not_found":
      return "expired";
    // The link was opened in another browser than the one that asked. What it confirmed is confirmed all the same.
    case "pkce_code_verifier_not_found":
    case "bad_code_verifier":
      return purpose === "signup" ? "confirmed" : purpose === "email" ? "emailChanged" : "otherBrowser";
    default:
      return error.status ? "provider" : "unreachable";
  }
}
