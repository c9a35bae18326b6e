import { z } from "zod";
import { isPassphrase, normalPassphrase } from "./passphrase.ts";
import { isPin } from "./pin.ts";

const Pin = z.string().refine(isPin, "The PIN is 4 digits.");
const Passphrase = z
  .string()
  .max(256)
  .transform(normalPassphrase)
  .refine(isPassphrase, "A passphrase has 6 to 64 characters.");

/** What the holder of a link may do; `upload` adds without seeing what is there. */
export type ShareRights = "view" | "comment" | "contribute" | "upload";

/** What the door of a link asks for. */
export type ShareSecret = "pin" | "passphrase";

/**
 * What opens a share: the identifier in its link, the PIN or passphrase where the link has one, and a token that it gave
 * before, which is let in again without them.
 */
export const OpenShare = z
  .object({
    shareId: z.string().min(1).max(64),
    pin: Pin.optional(),
    passphrase: Passphrase.optional(),
    held: z.string().max(4096).optional(),
  })
  .refine(({ pin, passphrase }) => pin === undefined || passphrase === undefined, "A link has one of the two.");
export type OpenShare = z.input<typeof OpenShare>;

/** An opened share. The token is a bearer for `expiresIn` seconds, or until what the link opens is changed. */
export interface OpenedShare {
  token: string;
  expiresIn: number;
  linkId: string;
  /** Raised by every change of the link; tokens of another one open nothing. */
  version: number;
  /** The one memory that it opens, or the album whose memories it opens; the other is null. */
  memoryId: string | null;
  albumId: string | null;
  rights: ShareRights;
  /** Whether copies may be taken along, or only looked at. */
  allowsDownload: boolean;
  /** Whether what is added waits for a keeper's yes. */
  moderated: boolean;
  /** When the link ends by itself (ISO 8601); null for one that does not. */
  endsAt: string | null;
}

/** Sets a link's PIN or passphrase in place of whatever it had, or removes it with `pin: null`. */
export const SharePin = z
  .object({ linkId: z.guid(), pin: Pin.nullable().optional(), passphrase: Passphrase.optional() })
  .refine(({ pin, passphrase }) => (pin === undefined) !== (passphrase === undefined), "Either a PIN or a passphrase.");
export type SharePin = z.input<typeof SharePin>;

export interface SharePinState {
  hasPin: boolean;
  /** What the link's door asks for from now on; null where it stands open. */
  asks: ShareSecret | null;
  /** Raised by every change of the PIN: what was opened under an older one is closed. */
  version: number;
}
