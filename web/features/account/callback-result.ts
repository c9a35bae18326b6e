import { isPurpose, type Purpose } from "./purposes.ts";

/** Reasons for a failed callback; each is a text under `account:callback`. */
export type CallbackProblem =
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

export interface CallbackResult {
  purpose: Purpose | undefined;
  /** A code to exchange, `firstConfirmation` after one of two confirmations of a new address, or the reason for the failure. */
  outcome: { code: string } | "firstConfirmation" | CallbackProblem;
}

/** The maximum age in seconds of a session in a URL (Spec §9). */
const STALE_AFTER = 120;

/** Parses the callback URL of emailed links and providers; `now` in milliseconds. */
export function parseCallback(address: string, now: number): CallbackResult {
  const { searchParams, hash } = new URL(address);
  // The fragment takes precedence over the query, because no server sees it.
  const parameters = new Map([...searchParams, ...new URLSearchParams(hash.slice(1))]);
  const requested = searchParams.get("for");
  const purpose = isPurpose(requested) ? requested : undefined;
  return { purpose, outcome: outcomeOf(parameters, purpose, now) };
}

function outcomeOf(
  parameters: Map<string, string>,
  purpose: Purpose | undefined,
  now: number,
): CallbackResult["outcome"] {
  if (["error", "error_code", "error_description"].some((name) => parameters.has(name)))
    return problemOf(parameters, purpose);
  if (parameters.has("access_token")) return sessionProblem(parameters, now / 1000);
  if (parameters.has("message") && purpose === "email") return "firstConfirmation";
  const code = parameters.get("code");
  return code ? { code } : "noCode";
}

function problemOf(parameters: Map<string, string>, purpose: Purpose | undefined): CallbackProblem {
  const code = parameters.get("error_code");
  if (code === "otp_expired") return "expired";
  if (code === "identity_already_exists") return "identityTaken";
  const atProvider = purpose === "social" || purpose === "identity";
  return parameters.get("error") === "access_denied" && atProvider ? "cancelled" : "provider";
}

/** Returns why a session in a URL is refused. It is never used: a link's author could sign others in to any account. */
function sessionProblem(parameters: Map<string, string>, now: number): CallbackProblem {
  const complete = ["access_token", "refresh_token", "expires_in", "token_type"].every((name) => parameters.get(name));
  if (!complete) return "noSession";
  const issuedAt = Number(parameters.get("expires_at")) - Number(parameters.get("expires_in"));
  return now - issuedAt >= STALE_AFTER ? "stale" : "notPkce";
}

/** Returns the reason why the exchange of a code for a session failed. */
export function exchangeProblem(
  error: Error & { code?: unknown; status?: unknown },
  purpose?: Purpose,
): CallbackProblem {
  switch (error.code) {
    case "flow_state_expired":
      return "stale";
    case "flow_state_not_found":
      return "expired";
    // The link was opened in another browser than the one that requested it. The address is confirmed nevertheless.
    case "pkce_code_verifier_not_found":
    case "bad_code_verifier":
      return purpose === "signup" ? "confirmed" : purpose === "email" ? "emailChanged" : "otherBrowser";
    default:
      return error.status ? "provider" : "unreachable";
  }
}
