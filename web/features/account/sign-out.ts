import { appNavigation } from "../../lib/browser/navigation.ts";
import { announceSignOut } from "../../lib/session/ended-session.ts";
import { changeSession } from "../../lib/session/session.ts";
import { clearStorage } from "../../lib/session/stored-session.ts";

/**
 * Ends this browser's session, clears its storage and opens `path` (Spec §4), even if the server is unreachable. The
 * client ignores the error if the server does not know the session (401, 403, 404).
 */
export async function signOut(path: string) {
  const { supabase } = await import("../../lib/request/supabase.ts");
  announceSignOut();
  const { error } = await supabase.auth.signOut({ scope: "local" });
  if (error) console.warn("The server could not be told of the sign-out", error);
  clearStorage();
  await import("../../lib/session/story-drafts.ts").then(({ forgetAllDrafts }) => forgetAllDrafts()).catch(() => {});
  appNavigation().goTo(path);
  changeSession({ state: "signed out" });
}
