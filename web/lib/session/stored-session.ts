import { CONSENT_KEY } from "../browser/consent.ts";
import { browserStorage, tabStorage } from "../browser/storage.ts";

/** Where supabase-js keeps the session in local storage. */
export const SESSION_KEY = "skies-session";

/** Whether this browser has a stored session, without loading the client that reads it. */
export const hasStoredSession = (): boolean => browserStorage.getItem(SESSION_KEY) !== null;

/** How this browser shows the app, no matter who uses it: the theme, the language and the answer about cookies. */
const DEVICE_KEYS = ["theme", "i18nextLng", CONSENT_KEY];

/**
 * Clears the app's browser storage, as signing out must (Spec §4). The device's settings are written again: they are not
 * about the person, and the next page would otherwise change its colours and language.
 */
export function clearStorage() {
  const device = DEVICE_KEYS.map((key) => [key, browserStorage.getItem(key)] as const);
  tabStorage.clear();
  browserStorage.clear();
  for (const [key, value] of device) if (value !== null) browserStorage.setItem(key, value);
}
