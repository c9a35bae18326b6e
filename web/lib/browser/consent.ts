import { useSyncExternalStore } from "react";

/** Spec §3: the cookie consent value in this browser's storage, accepted or declined. */
export const CONSENT_KEY = "cookie_consent";
export type Consent = "accepted" | "declined";

const listeners = new Set<() => void>();

/** What was answered in this browser; null while nobody has, or where storage is closed to the page. */
export function readConsent(): Consent | null {
  try {
    const value = localStorage.getItem(CONSENT_KEY);
    return value === "accepted" || value === "declined" ? value : null;
  } catch {
    return null;
  }
}

/** Keeps an answer, and tells everybody who has asked to know. */
export function storeConsent(consent: Consent) {
  try {
    localStorage.setItem(CONSENT_KEY, consent);
  } catch {
    // Where nothing can be kept nothing is, whatever was answered; the next page asks again.
  }
  for (const listener of listeners) listener();
}

/** Forgets the answer, so that it is asked for again. */
export function forgetConsent() {
  try {
    localStorage.removeItem(CONSENT_KEY);
  } catch {
    // Nothing was kept either.
  }
  for (const listener of listeners) listener();
}

/** Calls back when the answer may have changed, here or in another tab; gives what ends that. */
export function onConsent(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => (key === CONSENT_KEY || key === null) && listener();
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

/** The answer as it stands. */
export const useConsent = (): Consent | null => useSyncExternalStore(onConsent, readConsent, () => null);
