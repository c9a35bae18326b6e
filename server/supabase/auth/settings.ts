import type { AuthContext } from "./context.ts";

/** What `GET /settings` tells a client about the ways to sign in. */
export const settingsJson = ({ confirmAddresses, providers }: AuthContext) => ({
  external: {
    anonymous_users: false,
    email: true,
    phone: true,
    ...Object.fromEntries(["apple", "facebook", "google"].map((name) => [name, providers.has(name)])),
    ...Object.fromEntries([...providers.keys()].map((name) => [name, true])),
  },
  disable_signup: false,
  mailer_autoconfirm: !confirmAddresses,
  phone_autoconfirm: !confirmAddresses,
  sms_provider: "twilio",
  saml_enabled: false,
});
