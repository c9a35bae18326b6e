import { browserStorage, tabStorage } from "../browser/storage.ts";

/** Set in this tab while a session has expired and nobody has signed in since. */
const EXPIRED_KEY = "session_expired";

/** Marks the session as expired, after the storage was cleared, so that the sign-in page can say so. */
export const markExpired = () => tabStorage.setItem(EXPIRED_KEY, "1");
export const hasExpired = (): boolean => tabStorage.getItem(EXPIRED_KEY) !== null;
export const forgetExpired = () => tabStorage.removeItem(EXPIRED_KEY);

/** Local storage key of a sign-out in progress. Other tabs receive the change before the session ends. */
export const SIGN_OUT_KEY = "signing_out";

/** Whether this tab may still show pages of a person who was signed in, also after the session has ended. */
let hasPrivatePage = false;
export const mayShowPrivatePage = (): boolean => hasPrivatePage;
export const notePageLeft = () => {
  hasPrivatePage = false;
};

/** Tells the other tabs that the person signs out. Clearing the storage removes it. */
export function announceSignOut() {
  notePageLeft();
  browserStorage.setItem(SIGN_OUT_KEY, String(Date.now()));
}

/** Whether another tab signs out and the session may still be stored. */
let leaving = false;
export const followSignOut = (state: "begins" | "has ended") => {
  leaving = state === "begins";
};
export const isLeaving = (): boolean => leaving;

/** Whether the person signs out in any tab, so that the session has not expired. */
export const isSigningOut = (): boolean => leaving || browserStorage.getItem(SIGN_OUT_KEY) !== null;

/** Notes that somebody is signed in, also after a sign-out that was broken off because its tab was closed. */
export function beginSession() {
  leaving = false;
  hasPrivatePage = true;
  forgetExpired();
  browserStorage.removeItem(SIGN_OUT_KEY);
}
