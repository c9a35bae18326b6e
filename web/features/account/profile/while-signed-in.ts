import { appNavigation } from "../../../lib/browser/navigation.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { markExpired } from "../../../lib/session/ended-session.ts";
import { forgetOutbox } from "../../../lib/session/forget-outbox.ts";
import { rememberRedirect } from "../../../lib/session/redirect-url.ts";
import { changeSession } from "../../../lib/session/session.ts";
import { clearStorage } from "../../../lib/session/stored-session.ts";
import { paths } from "../../../paths.ts";
import { isSessionOver, ProfileFailure } from "./profile-failure.ts";

interface Answer {
  data: unknown;
  error: Error | null;
}

/** The data of a response without an error. */
type DataOf<A extends Answer> = [Extract<A, { error: null }>] extends [never]
  ? A["data"]
  : Extract<A, { error: null }>["data"];

/**
 * Calls the client and returns its data. Throws ProfileFailure if nobody is signed in. If the server does not know the
 * session any more, also clears the user and opens the sign-in screen (Spec §8).
 */
export async function whileSignedIn<A extends Answer>(call: () => Promise<A>): Promise<DataOf<A>> {
  const { data: stored } = await supabase.auth.getSession();
  if (!stored.session) throw new ProfileFailure("notAuthenticated");
  const { data, error } = await call();
  if (!error) return data as DataOf<A>;
  if (!isSessionOver(error)) throw error;
  clearStorage();
  forgetOutbox();
  markExpired();
  rememberRedirect(paths.profile());
  appNavigation().goTo(paths.login());
  changeSession({ state: "signed out" });
  throw new ProfileFailure("sessionExpired", { cause: error });
}
