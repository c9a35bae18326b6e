import { z } from "zod";
import { RequestError } from "../../../../shared/request-error.ts";
import type { Transaction } from "../../../database/database.ts";
import { uuidInPath } from "../bodies.ts";
import type { AuthContext } from "../context.ts";
import { lockPerson, requireSecondFactor } from "../factors/factors.ts";
import { storeProviders } from "../new-account.ts";
import { findSignedIn, type SignedIn, sessionEnded } from "../signed-in.ts";
import { addIdentity, type Newcomer, ownerOf } from "./user-identities.ts";

/** Refuses to link or unlink sign-in methods if the session has not verified the account's second factor. */
export const requireMayLink = (person: SignedIn) => requireSecondFactor(person, "link or unlink identities");

/** Links a provider's account to the account of a session's person. Their email addresses may differ. */
export async function link(tx: Transaction, sessionId: string, newcomer: Newcomer): Promise<SignedIn> {
  const signedIn = await findSignedIn(tx, sessionId);
  if (!signedIn) throw sessionEnded();
  const person = await lockPerson(tx, signedIn);
  requireMayLink(person);
  const owner = await ownerOf(tx, newcomer);
  if (owner !== undefined) {
    const whose = owner === person.id ? "" : " to another user";
    throw new RequestError("identity_already_exists", { message: `Identity is already linked${whose}` });
  }
  await addIdentity(tx, person.id, newcomer);
  await adoptEmail(tx, person, newcomer);
  await storeProviders(tx, person.id);
  return person;
}

/** Sets the provider's verified email address on an account without one, unless another account has it. */
async function adoptEmail(tx: Transaction, { id, email: currentEmail }: SignedIn, { person }: Newcomer) {
  if (currentEmail !== null || person.email === undefined || !person.emailVerified) return;
  await tx.query(
    `update auth.users set email = $2, email_confirmed_at = now(), updated_at = now()
     where id = $1 and not exists (select from auth.users where lower(email) = $2 and not is_sso_user)`,
    [id, person.email],
  );
}

export const IdentityParams = z.object({ identityId: uuidInPath("identity_id") });

/** Removes a sign-in method, never the last one. */
export async function unlink({ db }: AuthContext, signedIn: SignedIn, identityId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const person = await lockPerson(tx, signedIn);
    requireMayLink(person);
    const identity = person.identities.find(({ id }) => id === identityId);
    if (!identity) throw new RequestError("identity_not_found");
    if (person.identities.length <= 1) {
      throw new RequestError("single_identity_not_deletable");
    }
    if (identity.provider === "email") {
      throw new RequestError("email_conflict_identity_not_deletable");
    }
    await tx.query("delete from auth.identities where id = $1", [identityId]);
    if (identity.provider === "phone") {
      await tx.query("update auth.users set phone = null, phone_confirmed_at = null where id = $1", [person.id]);
    }
    await storeProviders(tx, person.id);
  });
}
