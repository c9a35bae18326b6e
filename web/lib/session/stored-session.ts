import { browserStorage, tabStorage } from "../browser/storage.ts";

/** Where supabase-js keeps the session in local storage. */
export const SESSION_KEY = "skies-session";

/** Whether this browser keeps a session, found without loading the client that reads it. */
export const hasStoredSession = (): boolean => browserStorage.getItem(SESSION_KEY) !== null;

/** Empties what this browser keeps for the app, as signing out must (Spec §4). */
export function clearStorage() {
  tabStorage.clear();
  browserStorage.clear();
}
