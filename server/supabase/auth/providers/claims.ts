import { z } from "zod";
import { EMAIL } from "../../../../shared/credentials.ts";
import type { Person } from "./provider.ts";

const text = (longest: number) =>
  z
    .string()
    .transform((text) => text.replaceAll(/\p{Cc}/gu, "").slice(0, longest))
    .optional()
    .catch(undefined);

const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(254).optional().catch(undefined),
  // Apple sends a string.
  email_verified: z.union([z.boolean(), z.literal("true").transform(() => true)]).catch(false),
  name: text(200),
  given_name: text(100),
  family_name: text(100),
  picture: z
    .url({ protocol: /^https$/ })
    .max(1000)
    .optional()
    .catch(undefined),
});

/** Returns the person whom a provider's claims describe. Throws if the claims name nobody. */
export function personOf(claims: unknown, issuer: string): Person {
  const { sub, email_verified, name, given_name, family_name, picture, ...profile } = Claims.parse(claims);
  const email = profile.email?.trim().toLowerCase();
  const isAddress = email !== undefined && EMAIL.test(email) && !/\p{Cc}/u.test(email);
  return {
    subject: sub,
    issuer,
    email: isAddress ? email : undefined,
    emailVerified: isAddress && email_verified,
    name: name ?? ([given_name, family_name].filter(Boolean).join(" ") || undefined),
    picture,
  };
}
