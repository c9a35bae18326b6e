import { RequestError } from "../../shared/request-error.ts";
import type { AuthContext } from "../supabase/auth/context.ts";
import { requireSecondFactor } from "../supabase/auth/factors/factors.ts";
import { identifySignedIn, type SignedIn } from "../supabase/auth/signed-in.ts";

/**
 * The person of a request's token. Like row policies, it refuses a session without a required second factor. An ended
 * session is refused as an expired token, so that the browser renews it or leads to sign-in. With `message`, other
 * refusals say that.
 */
export async function signedInPerson(auth: AuthContext, request: Request, message?: string): Promise<SignedIn> {
  try {
    const person = await identifySignedIn(auth.db, auth.identify, request.headers.get("authorization") ?? undefined);
    requireSecondFactor(person, "do this");
    return person;
  } catch (error) {
    if (message === undefined || !(error instanceof RequestError) || error.status !== 401) throw error;
    throw new RequestError(error.code, { message });
  }
}
