/** Where supabase-js keeps the session in local storage. */
export const SESSION_KEY = "skies-session";

/** Whether this browser keeps a session, found without loading the client that reads it. */
export function hasStoredSession(): boolean {
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    // Storage can be closed to a page by the browser's settings; then nobody stays signed in.
    return false;
  }
}

/** Empties what this browser keeps for the app, as signing out must (Spec §4). */
export function clearStorage() {
  try {
    sessionStorage.clear();
    localStorage.clear();
  } catch {
    // Closed storage holds nothing.
  }
}
