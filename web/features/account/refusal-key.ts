const known = {
  invalid_credentials: "wrongCredentials",
  user_already_exists: "addressTaken",
  email_exists: "addressTaken",
  weak_password: "weakPassword",
  over_request_rate_limit: "tooManyTries",
  email_not_confirmed: "notConfirmed",
} as const;

type RefusalKey = (typeof known)[keyof typeof known] | "unreachable" | "other";

/** The key of the text, in `account:refusal`, that tells a person why the server did not let them in. */
export function refusalKey(error: Error & { code?: unknown; status?: unknown }): RefusalKey {
  if (typeof error.code === "string" && error.code in known) return known[error.code as keyof typeof known];
  // The client gives status 0, or none, to what never reached a server.
  return error.status ? "other" : "unreachable";
}
