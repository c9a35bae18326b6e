import { expect, test } from "vitest";
import { providersOf } from "./provider-settings.ts";
import { readSettings } from "./settings.ts";

const pem = "-----BEGIN PRIVATE KEY-----\\nMIG\\n-----END PRIVATE KEY-----";

test("without credentials there are no providers", () => {
  expect(providersOf(readSettings({}))).toEqual({});
});

test("each provider is enabled by its complete credentials", () => {
  const providers = providersOf(
    readSettings({
      GOOGLE_CLIENT_ID: "the-website, the-app",
      GOOGLE_CLIENT_SECRET: "secret",
      APPLE_CLIENT_ID: "services",
      APPLE_TEAM_ID: "team",
      APPLE_KEY_ID: "key",
      APPLE_PRIVATE_KEY: pem,
      FACEBOOK_CLIENT_ID: "1",
      FACEBOOK_CLIENT_SECRET: "secret",
      OIDC_PROVIDERS: '[{"name":"acme","issuer":"https://id.acme.example/","clientId":"us","clientSecret":"secret"}]',
    }),
  );
  expect(providers).toMatchObject({
    google: { issuer: "https://accounts.google.com", clientIds: ["the-website", "the-app"] },
    apple: { formPost: true, clientSecret: { privateKey: pem.replaceAll("\\n", "\n") } },
    facebook: { graphUrl: expect.stringContaining("https://graph.facebook.com/") },
    "custom:acme": { issuer: "https://id.acme.example", clientIds: ["us"] },
  });
});

test.each<[string, Record<string, string>, string]>([
  ["half of Google's", { GOOGLE_CLIENT_ID: "x" }, "GOOGLE_CLIENT_SECRET: is required with GOOGLE_CLIENT_ID"],
  [
    "a part of Apple's",
    { APPLE_CLIENT_ID: "x", APPLE_TEAM_ID: "x", APPLE_KEY_ID: "x" },
    "APPLE_PRIVATE_KEY: is required",
  ],
  ["a key that is none", { APPLE_PRIVATE_KEY: "x" }, "APPLE_PRIVATE_KEY: must be a PEM private key"],
  ["an issuer that others could answer for", { GOOGLE_ISSUER: "http://accounts.example" }, "must be an https address"],
  ["no JSON", { OIDC_PROVIDERS: "[" }, "OIDC_PROVIDERS: must be JSON"],
  ["a provider without a client", { OIDC_PROVIDERS: '[{"name":"acme","issuer":"https://x.example"}]' }, "clientId"],
])("%s: the start fails with a message", (_what, environment, message) => {
  expect(() => readSettings(environment)).toThrow(message);
});
