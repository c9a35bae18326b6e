import { z } from "zod";
import type { ProviderSettings } from "../supabase/auth/providers/providers.ts";

const https = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => url.startsWith("https:") || ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname),
    "must be an https address",
  )
  .transform((url) => url.replace(/\/+$/, ""));

/** One or more client ids, separated by commas. The first belongs to the website, the others to apps. */
const clientIds = z
  .string()
  .transform((list) => list.split(/[,\s]+/).filter(Boolean))
  .refine((list) => list.length > 0, "must name a client");

const Custom = z.array(
  z.object({
    name: z.string().regex(/^[a-z0-9-]{1,40}$/, "must be of small letters, digits and hyphens"),
    issuer: https,
    clientId: z.string().min(1),
    clientSecret: z.string().min(1),
  }),
);

/** The settings of external sign-in providers. */
export const providerSettings = {
  GOOGLE_CLIENT_ID: clientIds.optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: https.default("https://accounts.google.com"),
  APPLE_CLIENT_ID: clientIds.optional(),
  APPLE_TEAM_ID: z.string().min(1).optional(),
  APPLE_KEY_ID: z.string().min(1).optional(),
  /** PKCS #8; line breaks may be written as \n. */
  APPLE_PRIVATE_KEY: z
    .string()
    .transform((pem) => pem.replaceAll("\\n", "\n"))
    .refine((pem) => pem.includes("-----BEGIN PRIVATE KEY-----"), "must be a PEM private key")
    .optional(),
  APPLE_ISSUER: https.default("https://appleid.apple.com"),
  FACEBOOK_CLIENT_ID: z.string().min(1).optional(),
  FACEBOOK_CLIENT_SECRET: z.string().min(1).optional(),
  FACEBOOK_DIALOG_URL: https.default("https://www.facebook.com/v23.0"),
  FACEBOOK_GRAPH_URL: https.default("https://graph.facebook.com/v23.0"),
  /** JSON: [{"name", "issuer", "clientId", "clientSecret"}]. Clients refer to a provider as custom:{name}. */
  OIDC_PROVIDERS: z
    .string()
    .default("[]")
    .transform((text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(Custom),
};

/** Groups of settings that are only valid together. */
export const providerGroups = [
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"],
  ["FACEBOOK_CLIENT_ID", "FACEBOOK_CLIENT_SECRET"],
] as const;

type Given = z.output<z.ZodObject<typeof providerSettings>>;

/** Returns the configured providers in the format of the auth server. */
export function providersOf(settings: Given): ProviderSettings {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, FACEBOOK_CLIENT_ID, FACEBOOK_CLIENT_SECRET } = settings;
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY } = settings;
  const providers: ProviderSettings = {};
  if (GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET) {
    providers.google = {
      kind: "oidc",
      issuer: settings.GOOGLE_ISSUER,
      // In some tokens of Google, the issuer is the host name without `https://`.
      otherNames: ["accounts.google.com"],
      clientIds: GOOGLE_CLIENT_ID,
      clientSecret: GOOGLE_CLIENT_SECRET,
    };
  }
  if (APPLE_CLIENT_ID && APPLE_TEAM_ID && APPLE_KEY_ID && APPLE_PRIVATE_KEY) {
    providers.apple = {
      kind: "oidc",
      issuer: settings.APPLE_ISSUER,
      clientIds: APPLE_CLIENT_ID,
      clientSecret: { teamId: APPLE_TEAM_ID, keyId: APPLE_KEY_ID, privateKey: APPLE_PRIVATE_KEY },
      formPost: true,
    };
  }
  if (FACEBOOK_CLIENT_ID && FACEBOOK_CLIENT_SECRET) {
    providers.facebook = {
      kind: "facebook",
      clientId: FACEBOOK_CLIENT_ID,
      clientSecret: FACEBOOK_CLIENT_SECRET,
      dialogUrl: settings.FACEBOOK_DIALOG_URL,
      graphUrl: settings.FACEBOOK_GRAPH_URL,
    };
  }
  for (const { name, issuer, clientId, clientSecret } of settings.OIDC_PROVIDERS) {
    providers[`custom:${name}`] = { kind: "oidc", issuer, clientIds: [clientId], clientSecret };
  }
  return providers;
}
