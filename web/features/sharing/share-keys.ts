import { browserStorage } from "../../lib/browser/storage.ts";

/** Storage keys of a link: of its open session in this tab, of an invitation's token, and of the guest's secret. */
export const sessionKeyOf = (shareId: string) => `skies-share-${shareId}`;
export const invitationKeyOf = (shareId: string) => `skies-invitation-${shareId}`;
export const guestKeyOf = (shareId: string) => `skies-guest-${shareId}`;

/** The form of a guest's secret key. */
export const GUEST_KEY = /^[\w-]{32,128}$/;

/** Returns the secret key of this browser's guest at a link; undefined without a guest. */
export function guestKey(shareId: string): string | undefined {
  const key = browserStorage.getItem(guestKeyOf(shareId)) ?? "";
  return GUEST_KEY.test(key) ? key : undefined;
}
