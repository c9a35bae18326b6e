import { USED_TOKEN } from "../../../shared/one-time-token.ts";

const texts = {
  invalid_credentials: "wrongCredentials",
  user_already_exists: "addressTaken",
  email_exists: "addressTaken",
  weak_password: "weakPassword",
  same_password: "samePassword",
  phone_exists: "phoneTaken",
  otp_expired: "wrongCode",
  reauthentication_not_valid: "wrongCode",
  mfa_verification_failed: "wrongCode",
  mfa_challenge_expired: "wrongCode",
  over_request_rate_limit: "tooManyTries",
  over_email_send_rate_limit: "tooManyMessages",
  over_sms_send_rate_limit: "tooManyMessages",
  captcha_failed: "robot",
  user_banned: "closedAccount",
  email_not_confirmed: "notConfirmed",
} as const;

type RefusalKey =
  | (typeof texts)[keyof typeof texts]
  | "commonPassword"
  | "usedCode"
  | "missingCredentials"
  | "signedOut"
  | "unreachable"
  | "other";

interface Refused extends Error {
  code?: unknown;
  status?: unknown;
  reasons?: unknown;
}

/** The key of an error's text in `account:refusal`. */
export function refusalKey(error: Refused): RefusalKey {
  if (error.code === "weak_password" && Array.isArray(error.reasons) && error.reasons.includes("pwned")) {
    return "commonPassword";
  }
  if (error.code === "otp_expired" && error.message === USED_TOKEN) return "usedCode";
  if (typeof error.code === "string" && Object.hasOwn(texts, error.code))
    return texts[error.code as keyof typeof texts];
  if (error.message === "You must provide either an email or phone number and a password") return "missingCredentials";
  if (error.name === "AuthSessionMissingError" || error.code === "session_not_found") return "signedOut";
  // The client reports status 0, or none, if the server was not reached.
  return error.status ? "other" : "unreachable";
}
