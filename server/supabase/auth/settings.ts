/** What `GET /settings` tells a client about the ways to sign in. */
export const settingsJson = ({ confirmAddresses }: { confirmAddresses: boolean }) => ({
  external: { anonymous_users: false, email: true, phone: true },
  disable_signup: false,
  mailer_autoconfirm: !confirmAddresses,
  phone_autoconfirm: !confirmAddresses,
  sms_provider: "twilio",
  saml_enabled: false,
});
