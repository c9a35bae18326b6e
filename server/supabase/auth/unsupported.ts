import type { UnsupportedPart } from "../unsupported.ts";

/** The parts of `auth/v1` that the product does not use. */
export const UNSUPPORTED: readonly UnsupportedPart[] = [
  {
    path: /^\/(oauth|user\/oauth|admin\/oauth)(\/|$)|^\/\.well-known\/(oauth-authorization-server|openid-configuration)$/,
    message: "This server signs people in, but is not an OAuth server for other applications.",
  },
  {
    path: /^\/(sso|saml|admin\/sso)(\/|$)/,
    message: "This server does not offer single sign-on by SAML. Use a provider of OpenID Connect.",
  },
  {
    path: /^\/(passkeys|admin\/users\/[^/]+\/passkeys)(\/|$)/,
    message: "This server does not offer passkeys. Second factors are authenticator apps and phones.",
  },
  {
    path: /^\/factors\/recovery-codes(\/|$)/,
    message: "This server does not offer recovery codes. A second phone or app can be added as another factor.",
  },
  {
    path: /^\/admin\/custom-providers(\/|$)/,
    message: "Providers are settings of this server, and cannot be changed by requests.",
  },
  { path: /^\/admin\/audit$/, message: "This server does not offer the audit log by requests." },
  { path: /^\/magiclink$/, message: "This server sends sign-in links by POST /otp only." },
];
