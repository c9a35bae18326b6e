/** Where supabase-js keeps the session in local storage. */
export const SESSION_KEY = "skies-session";

/** Whether this browser keeps a session, found without loading the client that reads it. */
export const hasStoredSession = (): boolean => {
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
};
