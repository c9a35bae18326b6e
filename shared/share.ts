import { z } from "zod";
import { isPin } from "./pin.ts";

const Pin = z.string().refine(isPin, "The PIN is 4 digits.");

/** What opens a share: the identifier in its link and, where the link has one, the PIN. */
export const OpenShare = z.object({ shareId: z.string().min(1).max(64), pin: Pin.optional() });
export type OpenShare = z.infer<typeof OpenShare>;

/** An opened share. The token is a bearer for `expiresIn` seconds, or until what the link opens is changed. */
export interface OpenedShare {
  token: string;
  expiresIn: number;
  memoryId: string;
  linkId: string;
}

/** Sets a link's PIN, or removes it with `null`. */
export const SharePin = z.object({ linkId: z.guid(), pin: Pin.nullable() });
export type SharePin = z.infer<typeof SharePin>;

export interface SharePinState {
  hasPin: boolean;
  /** Raised by every change of the PIN: what was opened under an older one is closed. */
  version: number;
}
