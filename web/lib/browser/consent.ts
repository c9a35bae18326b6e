import { useSyncExternalStore } from "react";
import { browserStorage } from "./storage.ts";
import { createStore } from "./store.ts";

/** Spec §3: the cookie consent value in this browser's storage, accepted or declined. */
export const CONSENT_KEY = "cookie_consent";
export type Consent = "accepted" | "declined";

/** The number of answers on this page, to notify subscribers. */
const answers = createStore(0);

/** The answer in this browser; null if there is none. */
export function readConsent(): Consent | null {
  const value = browserStorage.getItem(CONSENT_KEY);
  return value === "accepted" || value === "declined" ? value : null;
}

/** Stores an answer and notifies subscribers. */
export function storeConsent(consent: Consent) {
  browserStorage.setItem(CONSENT_KEY, consent);
  answers.set(answers.get() + 1);
}

/** Deletes the answer, so that the banner asks again. */
export function forgetConsent() {
  browserStorage.removeItem(CONSENT_KEY);
  answers.set(answers.get() + 1);
}

/** Calls back when the answer may have changed, here or in another tab; returns the unsubscribe function. */
export function onConsent(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => (key === CONSENT_KEY || key === null) && listener();
  const unsubscribe = answers.subscribe(listener);
  addEventListener("storage", onStorage);
  return () => {
    unsubscribe();
    removeEventListener("storage", onStorage);
  };
}

export const useConsent = (): Consent | null => useSyncExternalStore(onConsent, readConsent, () => null);
