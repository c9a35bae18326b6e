import { appNavigation } from "../../lib/browser/navigation.ts";
import { announceSignOut } from "../../lib/session/ended-session.ts";
import { forgetOutbox } from "../../lib/session/forget-outbox.ts";
import { type CurrentUser, changeSession, signedInUser } from "../../lib/session/session.ts";
import { clearStorage } from "../../lib/session/stored-session.ts";

/**
 * Ends this browser's session, clears its storage and opens `path` (Spec §4), even if the server is unreachable. The
 * client ignores the error if the server does not know the session (401, 403, 404).
 */
export async function signOut(path: string) {
  const { supabase } = await import("../../lib/request/supabase.ts");
  const user = signedInUser();
  announceSignOut();
  const { error } = await supabase.auth.signOut({ scope: "local" });
  if (error) console.warn("The server could not be told of the sign-out", error);
  await leaveDevice(user);
  appNavigation().goTo(path);
  changeSession({ state: "signed out" });
}

/**
 * Deletes what a person who leaves for good has on this device: the app's storage, drafts, recordings, unfinished uploads,
 * notifications and files that other apps have shared.
 */
export async function leaveDevice(user: CurrentUser | undefined) {
  clearStorage();
  forgetOutbox();
  await Promise.all([
    import("../../lib/push/forget-pushes.ts").then(({ forgetPushes }) => forgetPushes()).catch(() => {}),
    import("../../lib/session/story-drafts.ts").then(({ forgetAllDrafts }) => forgetAllDrafts()).catch(() => {}),
    import("../../media/recording/recording-store.ts")
      .then(({ forgetAllRecordings }) => forgetAllRecordings())
      .catch(() => {}),
    import("../../media/uploads/received-files.ts").then(({ forgetReceived }) => forgetReceived()).catch(() => {}),
    user &&
      import("../../media/uploads/upload-store.ts").then(({ forgetUploads }) => forgetUploads(user.id)).catch(() => {}),
  ]);
}
