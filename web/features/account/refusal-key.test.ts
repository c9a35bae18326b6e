import {
  AuthApiError,
  AuthInvalidCredentialsError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthWeakPasswordError,
} from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { refusalKey } from "./refusal-key.ts";

test.each([
  [new AuthApiError("Invalid login credentials", 400, "invalid_credentials"), "wrongCredentials"],
  [new AuthApiError("User already registered", 422, "user_already_exists"), "addressTaken"],
  [new AuthWeakPasswordError("Password must be at least 6 characters", 422, ["length"]), "weakPassword"],
  [new AuthApiError("Request rate limit reached", 429, "over_request_rate_limit"), "tooManyTries"],
  [new AuthWeakPasswordError("Password is known to be weak", 422, ["pwned"]), "commonPassword"],
  [new AuthApiError("Token has expired or is invalid", 403, "otp_expired"), "wrongCode"],
  [new AuthApiError("…only request this after 42 seconds.", 429, "over_email_send_rate_limit"), "tooManyMessages"],
  [
    new AuthInvalidCredentialsError("You must provide either an email or phone number and a password"),
    "missingCredentials",
  ],
  [new AuthSessionMissingError(), "signedOut"],
  [new AuthApiError("Internal error", 500, "unexpected_failure"), "other"],
  [new AuthRetryableFetchError("Failed to fetch", 0), "unreachable"],
  [new Error("Request timeout"), "unreachable"],
])("%s is reported as %s", (error, key) => {
  expect(refusalKey(error)).toBe(key);
});
