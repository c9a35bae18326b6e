import { AuthApiError, AuthPKCECodeVerifierMissingError, AuthRetryableFetchError } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { type CallbackProblem, exchangeProblem, parseCallback } from "./callback-result.ts";
import type { Purpose } from "./purposes.ts";

const NOW = 1_800_000_000_000;
const at = (rest: string) => parseCallback(`https://skies.example/auth/callback${rest}`, NOW);
const session = (expiresAt: number, more = "&refresh_token=r&token_type=bearer") =>
  `#access_token=a&expires_in=3600&expires_at=${expiresAt}${more}`;

test("a code comes with its purpose", () => {
  expect(at("?for=signup&code=abc")).toEqual({ purpose: "signup", outcome: { code: "abc" } });
  expect(at("?code=abc")).toEqual({ purpose: undefined, outcome: { code: "abc" } });
  expect(at("?for=elsewhere&code=abc").purpose).toBeUndefined();
});

test.each<[string, string]>([
  ["?for=link#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid", "expired"],
  ["?for=link&error=access_denied&error_code=otp_expired", "expired"],
  ["?for=social&error=access_denied&error_description=The+user+denied", "cancelled"],
  ["?for=social&error=server_error&error_code=unexpected_failure", "provider"],
  ["?for=identity&error=server_error&error_code=identity_already_exists", "identityTaken"],
  ["?for=email#message=Confirmation+link+accepted", "firstConfirmation"],
  ["?for=link#message=Your+account+is+closed,+call+us", "noCode"],
  ["", "noCode"],
  ["?code=", "noCode"],
])("Spec §8: %s is reported as %s", (rest, outcome) => {
  expect(at(rest).outcome).toBe(outcome);
});

test("Spec §9: a session in an address is stale after 120 s", () => {
  expect(at(session(NOW / 1000 + 3600 - 121)).outcome).toBe("stale");
  expect(at(session(NOW / 1000 + 3600 - 119)).outcome).toBe("notPkce");
});

test("Spec §8: a session in an address is checked for completeness and never used", () => {
  expect(at(session(NOW / 1000 + 3600, "")).outcome).toBe("noSession");
  expect(at(session(NOW / 1000 + 3600)).outcome).toBe("notPkce");
});

test.each<[Error, Purpose | undefined, CallbackProblem]>([
  [new AuthPKCECodeVerifierMissingError(), "signup", "confirmed"],
  [new AuthPKCECodeVerifierMissingError(), "email", "emailChanged"],
  [new AuthPKCECodeVerifierMissingError(), "link", "otherBrowser"],
  [new AuthApiError("code challenge does not match", 400, "bad_code_verifier"), "recovery", "otherBrowser"],
  [new AuthApiError("flow state has expired", 403, "flow_state_expired"), "link", "stale"],
  [new AuthApiError("no valid flow state found", 404, "flow_state_not_found"), "link", "expired"],
  [new AuthApiError("Internal error", 500, "unexpected_failure"), "social", "provider"],
  [new AuthRetryableFetchError("Failed to fetch", 0), "link", "unreachable"],
])("%s for %s is reported as %s", (error, purpose, problem) => {
  expect(exchangeProblem(error, purpose)).toBe(problem);
});
