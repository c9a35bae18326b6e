import type { AuthContext } from "../supabase/auth/context.ts";
import { requireSecondFactor } from "../supabase/auth/factors/factors.ts";
import { requireSignedIn, type SignedIn } from "../supabase/auth/signed-in.ts";

/** The person of a request's token. Like row policies, it refuses a session without a required second factor. */
export async function signedInPerson(auth: AuthContext, request: Request): Promise<SignedIn> {
  const person = await requireSignedIn(auth.db, auth.identify, request.headers.get("authorization") ?? undefined);
  requireSecondFactor(person, "do this");
  return person;
}
