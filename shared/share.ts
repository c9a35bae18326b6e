import { z } from "zod";
import { isMailable } from "./credentials.ts";
import { isPassphrase, normalPassphrase } from "./passphrase.ts";
import { isPin } from "./pin.ts";
import { TimeZone } from "./time-zone.ts";
import { typedAddress } from "./typed-address.ts";
import { typedCode, typedLine, typedShareId } from "./typed-text.ts";

const Pin = z.string().max(64).transform(typedCode).refine(isPin, "The PIN is 4 digits.");
const Passphrase = z
  .string()
  .max(256)
  .transform(normalPassphrase)
  .refine(isPassphrase, "A passphrase has 6 to 64 characters.");

/** Identifies a returning guest: a secret of their browser, or of an email. */
const GuestKey = z.string().regex(/^[\w-]{32,128}$/, "The key has the wrong shape.");

/** The token in the URL fragment of an invitation email's link. */
const InvitationToken = z.string().regex(/^[0-9a-f]{64}$/, "The token has the wrong shape.");

/** The permissions of a link; `upload` adds without seeing the memory. */
export type ShareRights = "view" | "comment" | "contribute" | "upload";

/** The secret that a share gate asks for. */
export type ShareSecret = "pin" | "passphrase";

/**
 * The request that opens a share. `shareId` is the identifier in the link. A link with a secret requires `pin` or
 * `passphrase`, or `held`, an earlier token of the link. `invitation` is the token of an invitation email, and `guestKey`
 * identifies a returning guest. With `screen`, the response contains the data of the first screen, and with `language`
 * also the HTML of its hero.
 */
export const OpenShare = z
  .object({
    shareId: z.string().min(1).max(64).transform(typedShareId),
    pin: Pin.optional(),
    passphrase: Passphrase.optional(),
    held: z.string().max(4096).optional(),
    invitation: InvitationToken.optional(),
    guestKey: GuestKey.optional(),
    screen: z.boolean().optional(),
    language: z.enum(["en", "it"]).optional(),
  })
  .refine(({ pin, passphrase }) => pin === undefined || passphrase === undefined, "A link has one of the two.");
export type OpenShare = z.input<typeof OpenShare>;

/** Asks for another email of an invitation whose link arrived incomplete. */
export const InvitationAgain = z.object({
  shareId: z.string().min(1).max(64).transform(typedShareId),
  language: z.enum(["en", "it"]),
});
export type InvitationAgain = z.input<typeof InvitationAgain>;

/** Declines an invitation by the token of its email, or with `undo` takes that back. */
export const DeclineInvitation = z.object({
  shareId: z.string().min(1).max(64).transform(typedShareId),
  invitation: InvitationToken,
  undo: z.boolean().default(false),
});
export type DeclineInvitation = z.input<typeof DeclineInvitation>;

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
  /** Whether photos and videos may be downloaded. */
  allowsDownload: boolean;
  /** Whether additions need a manager's approval. */
  moderated: boolean;
  /** Whether visitors see the names of contributors. */
  showsNames: boolean;
  /** How many devices of the link were removed; after a change, pages check whether they are still admitted. */
  devicesRemoved: number;
  /** When the link expires (ISO 8601); null if it does not. */
  endsAt: string | null;
  /** The guest of the token; null for signed-in people and anonymous visitors. */
  guest: Guest | null;
  /** The invitation whose email opened the link: its recipient, and whether an account has accepted it. */
  invitation: { email: string; accepted: boolean } | null;
  /** The first screen of the memory's page, if requested. */
  screen?: FirstScreen;
}

/** The data of the first screen of a memory's page. */
export interface FirstScreen {
  /** The hero (cover, name, dates) as HTML, to show while the app loads. */
  hero?: string;
  /** Query results of the page, by query key. */
  answers: [key: readonly unknown[], answer: unknown][];
  /** Attributes of the first pictures, to preload them. */
  pictures: { srcset: string; sizes: string }[];
}

/** A visitor without an account who gave their name at a link. */
export interface Guest {
  id: string;
  name: string;
  /** The address for their receipts. */
  email: string | null;
}

/** Gives a guest's name for an opened link, whose token is the bearer. The same key again changes the name. */
export const SignGuest = z.object({
  name: z
    .string()
    // Characters that reverse the text direction would also reverse the text beside it.
    .transform(typedLine)
    .refine((name) => name.length > 0 && name.length <= 100, "A name has 1 to 100 characters."),
  email: z
    .string()
    .transform(typedAddress)
    .pipe(z.string().max(254).refine(isMailable, "Invalid email format"))
    .optional(),
  guestKey: GuestKey,
  language: z.enum(["en", "it"]),
  timeZone: TimeZone,
});
export type SignGuest = z.input<typeof SignGuest>;

/** Sets a link's PIN or passphrase, replacing the old one, or removes it with `pin: null`. */
export const SharePin = z
  .object({ linkId: z.guid(), pin: Pin.nullable().optional(), passphrase: Passphrase.optional() })
  .refine(({ pin, passphrase }) => (pin === undefined) !== (passphrase === undefined), "Either a PIN or a passphrase.");
export type SharePin = z.input<typeof SharePin>;

/** Requests the readable PIN or passphrase of a link. Only for managers. */
export const ReadSharePin = z.object({ linkId: z.guid() });

/** The link's PIN or passphrase; null if it has none, or if it was set before secrets were stored readably. */
export interface ReadableSecret {
  secret: string | null;
}

export interface SharePinState {
  hasPin: boolean;
  /** The kind of secret that the link now requires; null for none. */
  asks: ShareSecret | null;
  /** Raised by every change of the PIN; tokens of an older version are invalid. */
  version: number;
}
