import { parseUrl } from "../../lib/browser/parse-url.ts";
import { isPurpose, type Purpose } from "./purposes.ts";

/** Types of emailed links; each has its texts under `account:mailedLink`. */
const TYPES = ["signup", "invite", "magiclink", "recovery", "email", "email_change"] as const;
export type LinkType = (typeof TYPES)[number];

/** An emailed link as its page received it, under the server's names. */
export interface MailedLink {
  token: string;
  type: LinkType;
  /** The absolute URL where the page goes on. */
  redirect_to: string;
}

/** Reads a link from the fragment of its page's URL; undefined if the URL is not complete. */
export function parseMailedLink(hash: string): MailedLink | undefined {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const type = TYPES.find((type) => type === values.get("type"));
  // Tokens are base64url; programs that recognise links in text may append punctuation.
  const token = /^[\w-]+/.exec(values.get("token") ?? "")?.[0];
  const redirect_to = values.get("redirect_to") ?? "";
  return type && token && parseUrl(redirect_to) ? { token, type, redirect_to } : undefined;
}

/** The purpose of a link of this site; undefined for links that go on elsewhere, or were made by the service. */
export function purposeOf({ redirect_to }: MailedLink): Purpose | undefined {
  const { origin, searchParams } = new URL(redirect_to);
  const purpose = searchParams.get("for");
  return origin === location.origin && isPurpose(purpose) ? purpose : undefined;
}

/**
 * Whether a link that another browser requested opens a session here. Confirmations of addresses only confirm, because
 * their person goes on where they registered.
 */
export function signsInHere(link: MailedLink): boolean {
  const purpose = purposeOf(link);
  return purpose === "link" || purpose === "recovery";
}
