/** The storage key of supabase-js for the session. */
export const SESSION_KEY = "skies-session";
