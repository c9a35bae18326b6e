import { z } from "zod";
import { isMailable } from "./credentials.ts";
import { isPassphrase, normalPassphrase } from "./passphrase.ts";
import { isPin } from "./pin.ts";

const Pin = z.string().refine(isPin, "The PIN is 4 digits.");
const Passphrase = z
  .string()
  .max(256)
  .transform(normalPassphrase)
  .refine(isPassphrase, "A passphrase has 6 to 64 characters.");

/** Identifies a returning guest: a secret of their browser, or of an email. */
const GuestKey = z.string().regex(/^[\w-]{32,128}$/, "The key has the wrong shape.");

/** What the email of an invitation carries behind the # of its link. */
const InvitationToken = z.string().regex(/^[0-9a-f]{64}$/, "The token has the wrong shape.");

/** The permissions of a link; `upload` adds without seeing the memory. */
export type ShareRights = "view" | "comment" | "contribute" | "upload";

/** The secret that a share gate asks for. */
export type ShareSecret = "pin" | "passphrase";

/**
 * What opens a share: the identifier in its link, the PIN or passphrase where the link has one, a token that it gave
 * before, which is let in again without them, the token of an invitation's email, and the key of a guest. With `screen`
 * the answer brings what the first screen shows.
 */
export const OpenShare = z
  .object({
    shareId: z.string().min(1).max(64),
    pin: Pin.optional(),
    passphrase: Passphrase.optional(),
    held: z.string().max(4096).optional(),
    invitation: InvitationToken.optional(),
    guestKey: GuestKey.optional(),
    screen: z.boolean().optional(),
  })
  .refine(({ pin, passphrase }) => pin === undefined || passphrase === undefined, "A link has one of the two.");
export type OpenShare = z.input<typeof OpenShare>;

/** An opened share. The token is valid for `expiresIn` seconds, or until the link's access changes. */
export interface OpenedShare {
  token: string;
  expiresIn: number;
  linkId: string;
  /** Raised by every change of the link's access; tokens of another version are invalid. */
  version: number;
  /** The memory that it opens, or the album with its memories; the other is null. */
  memoryId: string | null;
  albumId: string | null;
  rights: ShareRights;
  /** Whether copies may be taken along, or only looked at. */
  allowsDownload: boolean;
  /** Whether additions need a manager's approval. */
  moderated: boolean;
  /** Whether visitors see the names of contributors. */
  showsNames: boolean;
  /** When the link ends by itself (ISO 8601); null for one that does not. */
  endsAt: string | null;
  /** The token's guest; null for signed-in people and those without a name. */
  guest: Guest | null;
  /** The invitation whose email opened it: its address, and whether an account has accepted it. */
  invitation: { email: string; accepted: boolean } | null;
  /** What the page of the memory shows first, where it was asked for. */
  screen?: FirstScreen;
}

/** What the page of a memory shows first. */
export interface FirstScreen {
  /** Whom the memory is about, for a browser to show while the page is made. */
  name: string;
  /** What it would read, by the keys of its queries. */
  answers: [key: readonly unknown[], answer: unknown][];
  /** The attributes of its pictures, for a browser to load them before the page is made. */
  pictures: { srcset: string; sizes: string }[];
}

/** Somebody without an account who signed a link with their name. */
export interface Guest {
  id: string;
  name: string;
  /** Where their receipts go. */
  email: string | null;
}

/** Signs an opened link, by its token as bearer, with a name; again with the same key to be called otherwise. */
export const SignGuest = z.object({
  name: z
    .string()
    // Characters that reverse the text direction would also reverse the text beside it.
    .transform((name) =>
      name
        .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .refine((name) => name.length > 0 && name.length <= 100, "A name has 1 to 100 characters."),
  email: z.string().trim().max(254).refine(isMailable, "Invalid email format").optional(),
  guestKey: GuestKey,
  language: z.enum(["en", "it"]),
  /** As the browser names it: Europe/Rome. */
  timeZone: z.string().max(100).refine(isTimeZone, "There is no such time zone."),
});
export type SignGuest = z.input<typeof SignGuest>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Sets a link's PIN or passphrase, replacing the old one, or removes it with `pin: null`. */
export const SharePin = z
  .object({ linkId: z.guid(), pin: Pin.nullable().optional(), passphrase: Passphrase.optional() })
  .refine(({ pin, passphrase }) => (pin === undefined) !== (passphrase === undefined), "Either a PIN or a passphrase.");
export type SharePin = z.input<typeof SharePin>;

/** Asks for the PIN or passphrase of a link as its managers gave it. */
export const ReadSharePin = z.object({ linkId: z.guid() });

/** The link's PIN or passphrase; null where it has none, and where it was set before it could be read again. */
export interface ReadableSecret {
  secret: string | null;
}

export interface SharePinState {
  hasPin: boolean;
  /** The secret that the share gate now asks for; null for none. */
  asks: ShareSecret | null;
  /** Raised by every change of the PIN; tokens of an older version are invalid. */
  version: number;
}
