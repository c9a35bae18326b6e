import { CONSENT_KEY } from "../browser/consent.ts";
import { browserStorage, tabStorage } from "../browser/storage.ts";
import { forgetAllCopies } from "../offline/copies.ts";
import { SESSION_KEY } from "./session-key.ts";

/** Whether this browser has a stored session, without loading the client that reads it. */
export const hasStoredSession = (): boolean => browserStorage.getItem(SESSION_KEY) !== null;

/** Keys of the device's settings: theme, language, cookie consent, and whether it wants the app on its home screen. */
const DEVICE_KEYS = ["theme", "i18nextLng", CONSENT_KEY, "skies-install-app"];

/**
 * Ends that this device opens links without their PIN: the next person at a shared computer must not enter by them. The
 * cookies are deleted by the server, because scripts cannot read them.
 */
function forgetDevices() {
  // Sent even if the page is left now. Offline, the links stay open here, like the session on the server.
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}", keepalive: true };
  void fetch("/functions/v1/forget-device", init).catch(() => {});
}

/** Clears the app's browser storage, as signing out must (Spec §4), except for the device's settings. */
export function clearStorage() {
  void forgetAllCopies();
  const device = DEVICE_KEYS.map((key) => [key, browserStorage.getItem(key)] as const);
  forgetDevices();
  tabStorage.clear();
  browserStorage.clear();
  for (const [key, value] of device) if (value !== null) browserStorage.setItem(key, value);
}
