import { AuthApiError, AuthRetryableFetchError, AuthSessionMissingError } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import texts from "../../../i18n/en/profile.json";
import { FAILURES, isSessionOver } from "./profile-failure.ts";

test("Spec §8: profile errors have the specified texts", () => {
  expect(texts.failure).toEqual({
    noUserData: "Failed to get updated user data",
    sessionExpired: "Session expired. Please sign in again.",
    notSaved: "Failed to update profile. Please try again.",
    notAuthenticated: "Not authenticated",
  });
  expect(FAILURES).toEqual(texts.failure);
});

test.each<[Error, boolean]>([
  [new AuthSessionMissingError(), true],
  [new AuthApiError("invalid JWT", 403, "bad_jwt"), true],
  [new AuthApiError("Session from session_id claim in JWT does not exist", 403, "session_not_found"), true],
  [new AuthApiError("Request rate limit reached", 429, "over_request_rate_limit"), false],
  [new AuthRetryableFetchError("Failed to fetch", 0), false],
])("%s ends the session: %s", (error, over) => {
  expect(isSessionOver(error)).toBe(over);
});
