import type { OpenedShare, SignGuest } from "../../../../shared/share.ts";
import type { OpenSession } from "../../../data/share-state.ts";
import { callFunction } from "../../../lib/request/call-function.ts";
import { guestKey } from "../share-keys.ts";
import { keepGuestKey, keptAs } from "../share-session.ts";

/**
 * Registers the visitor of an opened link as a guest, by name and this browser's secret key. Throws FunctionRefusal.
 */
export async function signGuest(
  shareId: string,
  bearer: string,
  signature: Pick<SignGuest, "name" | "email" | "language">,
): Promise<OpenSession> {
  const key = guestKey(shareId) ?? newKey();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const body: SignGuest = { ...signature, guestKey: key, timeZone };
  const opened = await callFunction<OpenedShare>("sign-guest", body, { bearer });
  keepGuestKey(shareId, key);
  return keptAs(shareId, opened);
}

const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
