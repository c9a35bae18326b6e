/** What `GET /settings` tells a client about the ways to sign in. */
export const SETTINGS = {
  external: { anonymous_users: false, email: true, phone: true },
  disable_signup: false,
  // New addresses are believed at once, so signing up answers with a session.
  mailer_autoconfirm: true,
  phone_autoconfirm: true,
  sms_provider: "",
  saml_enabled: false,
};
